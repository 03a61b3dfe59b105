mod outcome;
mod runner;
mod worker;

fn main() {}
