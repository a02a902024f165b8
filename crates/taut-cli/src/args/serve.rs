//! What can be typed after `taut serve`.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use taut::budget::units;

/// Where to listen, and what jobs may cost.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// The port to listen on; 0 for any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// The address to listen on. With any but a loopback address other machines can reach the page.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = host)]
    pub host: IpAddr,
    /// The longest time a job may take (60s, 500ms, 2m).
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub timeout: Duration,
    /// The most memory a job may use (4G, 512M) [default: 1G, or less where less is free].
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub max_memory: Option<u64>,
    /// How many jobs may run at once [default: one for two cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// How many jobs may wait for others to end; more are refused.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub waiting: u16,
    /// The largest program that is taken (64K, 1M).
    #[arg(long, value_name = "SIZE", default_value = "256K", value_parser = bytes)]
    pub max_bytes: u64,
}

impl ServeArgs {
    /// How many jobs may run at once.
    pub fn jobs(&self) -> usize {
        match self.jobs {
            Some(jobs) => usize::from(jobs),
            None => (cores() / 2).max(1),
        }
    }

    /// How many threads a job may use.
    pub fn threads(&self) -> usize {
        (cores() / self.jobs()).max(1)
    }
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

fn host(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::from([127, 0, 0, 1])),
        _ => text.parse().map_err(|_| "use an address in digits, such as 127.0.0.1".into()),
    }
}

/// The least time in which anything can be said, and the most that is a limit.
const TIMES: std::ops::RangeInclusive<Duration> =
    Duration::from_millis(100)..=Duration::from_secs(24 * 3600);

fn time(text: &str) -> Result<Duration, String> {
    let time = units::duration(text)?;
    if TIMES.contains(&time) { Ok(time) } else { Err("use a time from 100ms to 24h".into()) }
}

/// The least memory with which a job is worth starting.
const LEAST_MEMORY: u64 = 16 << 20;

fn memory(text: &str) -> Result<u64, String> {
    match units::size(text)? {
        LEAST_MEMORY.. => units::size(text),
        _ => Err("a job needs at least 16M".into()),
    }
}

/// The largest program that a page can show.
const LARGEST: u64 = 16 << 20;

fn bytes(text: &str) -> Result<u64, String> {
    match units::size(text)? {
        size @ 1..=LARGEST => Ok(size),
        _ => Err("use a size from 1 to 16M".into()),
    }
}
