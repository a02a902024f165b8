//! Limits as people type them: sizes and times.

use std::time::Duration;

/// Reads `4G`, `512M`, `1.5GiB`, `100000`.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor: u64 = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of size; use K, M, G or T")),
    };
    let bytes = number * factor as f64;
    if bytes >= u64::MAX as f64 { Err("that is too large".into()) } else { Ok(bytes as u64) }
}

/// Reads `60s`, `500ms`, `2m`, `1h`, `90`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number =
        text[..end].parse().map_err(|_| format!("`{text}` does not start with a number"))?;
    Ok((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("512mb"), Ok(512 << 20));
        assert_eq!(size("7"), Ok(7));
        assert!(size("G").is_err());
        assert!(size("4X").is_err());
        assert!(size("99999999999T").is_err());
    }

    #[test]
    fn durations() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(duration("2 days").is_err());
    }
}
