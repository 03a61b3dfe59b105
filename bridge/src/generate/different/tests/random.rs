//! Sets of relations that are put together at random, against all subsets of small spaces.

use super::{check_greatest, wrongly_solved};

/// Number of relations.
const N: u32 = 5;

/// A relation of parts that are joined by `&&`, `||` and `!`.
struct Random(u32);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % n
    }

    fn relation(&mut self, levels: u32) -> String {
        if levels == 0 {
            return self.part();
        }
        match self.below(5) {
            0 | 1 => format!("({} && {})", self.relation(levels - 1), self.relation(levels - 1)),
            2 | 3 => format!("({} || {})", self.relation(levels - 1), self.relation(levels - 1)),
            _ => format!("!({})", self.relation(levels - 1)),
        }
    }

    fn part(&mut self) -> String {
        let n = self.below(3) + 1;
        match self.below(10) {
            0..=2 => format!("edit_distance(a.s, b.s, {n})"),
            3 => format!("edit_distance(a.s, b.s, a.x + {n})"),
            4 => "different_lengths(a.s, b.s)".to_owned(),
            5 => "a.x != b.x".to_owned(),
            6 => format!("distance(a.x, b.x, {n})"),
            7 => "cover(a.s, b.s, \"a|b*\")".to_owned(),
            8 => "a.s.starts_with(b.s)".to_owned(),
            _ => "a.x < b.s.len()".to_owned(),
        }
    }
}

#[test]
fn relations_put_together_at_random_have_the_greatest_sets() {
    let params = "x: {x: u8 | x < 2}, s: {s: String | s.matches(\"[ab]{0,2}\")}";
    let mut random = Random(21);
    let mut wrong = Vec::new();
    for _ in 0..N {
        let relation = format!("|a, b| {}", random.relation(2));
        let spec = (params, "_, _", relation.as_str());
        check_greatest(spec);
        wrong.extend(wrongly_solved(spec));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
