//! Approximates the smallest set of inputs that together reach everything that all inputs reach: a greedy choice.

/// Chooses inputs worth keeping, in their order. Repeatedly takes the input that adds the most, the first of equal
/// ones, and finally drops inputs that later ones made redundant. An optimal choice is hard to compute; this one is
/// larger by at most a factor logarithmic in the number of things reached.
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
