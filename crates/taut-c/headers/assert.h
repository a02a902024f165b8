/* Taut's <assert.h>. It may be included again with another NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(...) __taut_assert(!!(__VA_ARGS__), "assert(" #__VA_ARGS__ ")")
#endif
#undef static_assert
#define static_assert _Static_assert
