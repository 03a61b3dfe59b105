//! The fewest inputs that together reach what all of them reach, nearly: a greedy choice.

/// Of inputs, each with what it reaches, those that are worth keeping, in their order: again and again the one that
/// reaches the most that none of the chosen ones reaches, of equal ones the first. Those that the later ones made needless
/// are left out again. The best choice is hard to find; this one is worse by the logarithm of the number of things at most.
pub fn choose(inputs: &[Vec<usize>]) -> Vec<usize> {
    let n_things = inputs.iter().flatten().max().map_or(0, |most| most + 1);
    let mut reached = vec![false; n_things];
    let mut chosen = Vec::new();
    loop {
        let new = |input: &Vec<usize>| input.iter().filter(|thing| !reached[**thing]).count();
        let best = inputs.iter().enumerate().rev().max_by_key(|(_, input)| new(input));
        let Some((position, input)) = best.filter(|(_, input)| new(input) > 0) else { break };
        input.iter().for_each(|thing| reached[*thing] = true);
        chosen.push(position);
    }
    for position in chosen.clone() {
        let others = || chosen.iter().filter(|other| **other != position).flat_map(|other| &inputs[*other]);
        if inputs[position].iter().all(|thing| others().any(|other| other == thing)) {
            chosen.retain(|other| *other != position);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn what_others_reach_together_is_not_kept() {
        assert!(choose(&[]).is_empty());
        assert!(choose(&[vec![]]).is_empty());
        assert_eq!(choose(&[vec![0], vec![0, 1], vec![2], vec![1, 2]]), [1, 2]);
        assert_eq!(choose(&[vec![0, 1], vec![1, 0]]), [0]);
        // The middle one is the largest, but the others are needed, and then they do.
        assert_eq!(choose(&[vec![0, 1, 2], vec![1, 2, 3, 4], vec![3, 4, 5]]), [0, 2]);
    }
}
