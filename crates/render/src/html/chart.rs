//! Bar charts as drawings inside the page.

use std::fmt::Write as _;

use super::escape;

/// Width of the drawing.
pub(crate) const WIDTH: f64 = 640.0;
/// Height of the drawing.
pub(crate) const HEIGHT: f64 = 250.0;
/// Room for the names of the axes.
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 8.0;
/// Maximum number of bars with error bars; more error bars would hide the bars.
const MOST_WHISKERS: usize = 60;
/// Maximum number of bars; more would be indistinguishable.
const MOST_BARS: usize = 600;

/// One bar.
pub(crate) struct Bar {
    /// The label of the bar.
    pub name: String,
    /// Share of all deals, 0 to 1.
    pub share: f64,
    /// The interval that contains the true share.
    pub interval: Option<(f64, f64)>,
}

/// Draws bars with their error bars over a named axis; empty if there is nothing to draw. The table beside it has the
/// numbers, so screen readers get only the title.
pub(crate) fn bars(title: &str, axis: &str, bars: &[Bar]) -> String {
    if bars.is_empty() || bars.len() > MOST_BARS || bars.iter().all(|bar| bar.share <= 0.0) {
        return String::new();
    }
    let whiskers = bars.len() <= MOST_WHISKERS;
    let highest = bars
        .iter()
        .map(|bar| {
            bar.interval
                .filter(|_| whiskers)
                .map_or(bar.share, |(_, high)| high)
        })
        .fold(0.0, f64::max);
    let step = tick_step(highest);
    let top = (highest / step).ceil() * step;
    let y = |share: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share / top);
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Bar chart of {}\">\n",
        escape(title)
    );
    let decimals = if step < 0.001 {
        2
    } else {
        usize::from(step < 0.01)
    };
    for tick in 0..=(top / step).round() as u32 {
        let share = f64::from(tick) * step;
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{end}\"/><text class=\"tick\" x=\"{x}\" y=\"{text:.1}\" \
             text-anchor=\"end\">{percent:.decimals$} %</text>",
            at = y(share),
            end = WIDTH - RIGHT,
            x = LEFT - 5.0,
            text = y(share) + 4.0,
            percent = 100.0 * share,
        );
    }
    draw_bars(&mut svg, bars, whiskers, y);
    let _ = writeln!(
        svg,
        "<path class=\"axis\" d=\"M{LEFT} {base}H{end}\"/><text class=\"axis-name\" x=\"{middle}\" y=\"{below}\" \
         text-anchor=\"middle\">{}</text></svg>",
        escape(axis),
        base = HEIGHT - BOTTOM,
        end = WIDTH - RIGHT,
        middle = (LEFT + WIDTH - RIGHT) / 2.0,
        below = HEIGHT - 8.0,
    );
    svg
}

fn draw_bars(svg: &mut String, bars: &[Bar], whiskers: bool, y: impl Fn(f64) -> f64) {
    let pitch = (WIDTH - LEFT - RIGHT) / bars.len() as f64;
    let width = (0.78 * pitch).min(56.0);
    // Names that would touch their neighbours are left out.
    let longest = bars.iter().map(|bar| bar.name.chars().count()).max();
    let room = 7.0 * longest.unwrap_or(1) as f64 + 6.0;
    let every = (room / pitch).ceil().max(1.0) as usize;
    for (index, bar) in bars.iter().enumerate() {
        let middle = LEFT + (index as f64 + 0.5) * pitch;
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\"><title>{}: {}</title></rect>",
            middle - width / 2.0,
            y(bar.share),
            y(0.0) - y(bar.share),
            escape(&bar.name),
            super::table::Digits::default().percent(bar.share, bar.interval),
        );
        if let Some((low, high)) = bar.interval.filter(|_| whiskers) {
            let arm = (width / 4.0).min(5.0);
            let (low, high) = (y(low), y(high));
            let _ = write!(
                svg,
                "<path class=\"whisker\" d=\"M{middle:.1} {low:.1}V{high:.1}M{from:.1} {low:.1}h{span:.1}M{from:.1} {high:.1}h{span:.1}\"/>",
                from = middle - arm,
                span = 2.0 * arm,
            );
        }
        if index % every == 0 {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - BOTTOM + 15.0,
                escape(&bar.name)
            );
        }
        svg.push('\n');
    }
}

/// Returns a round distance of ticks that gives about five of them.
fn tick_step(highest: f64) -> f64 {
    let rough = highest / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= rough * 0.999)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        for (highest, step) in [(1.0, 0.2), (0.3, 0.1), (0.089, 0.02), (0.0042, 0.001)] {
            assert!((tick_step(highest) - step).abs() < 1e-12, "{highest}");
        }
    }
}
