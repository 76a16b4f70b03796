//! Double-dummy tricks of a deal. Needs the feature `solver`.

use croupier::{Deal, Seat, Solver, Strain};

pub(crate) fn main() {
    let text = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7";
    let deal: Deal = text.parse().expect("the text is a deal");
    let tricks = Solver::new().tricks(&deal, Seat::North, Strain::Spades);
    println!("North takes {tricks} tricks in spades");
}
