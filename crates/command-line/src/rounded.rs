//! Numbers with as many digits as are known.

/// Returns a number with two digits of its uncertainty, or with six digits if the uncertainty is 0.
#[must_use]
pub fn rounded(value: f64, uncertainty: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scale = if uncertainty > 0.0 {
        uncertainty
    } else {
        value.abs() * 1e-5
    };
    let digits = (1.0 - scale.log10().floor()).clamp(-300.0, 300.0) as i32;
    if digits >= 0 {
        return format!("{value:.*}", digits as usize);
    }
    let unit = 10f64.powi(-digits);
    format!("{:.0}", (value / unit).round() * unit)
}
