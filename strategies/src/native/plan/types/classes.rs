//! Puts types that differ only in their own refinements into one class, such as the two subtrees of a search tree.

use super::*;

impl Builder<'_> {
    /// The address of the refined type, if it has clauses that its form doesn't imply; otherwise 0.
    pub(super) fn clauses_key(&self, id: usize) -> usize {
        match self.origins[id].refined {
            Some(refined) if !self.implied[id] && self.clauses(id).next().is_some() => {
                std::ptr::from_ref(refined) as usize
            }
            _ => 0,
        }
    }

    /// Computes the coarsest partition in which the types of a class have parts of equal classes with equal clauses.
    pub(super) fn classes(&self) -> Classes {
        let mut of = vec![0; self.types.len()];
        let mut n_classes = 1;
        loop {
            let mut numbers = HashMap::new();
            let mut first = Vec::new();
            let signatures = (0..self.types.len()).map(|id| self.signature(id, &of));
            let next: Vec<usize> = signatures
                .enumerate()
                .map(|(id, signature)| {
                    *numbers.entry(signature).or_insert_with(|| {
                        first.push(id);
                        first.len() - 1
                    })
                })
                .collect();
            let is_done = first.len() == n_classes && next == of;
            (of, n_classes) = (next, first.len());
            if is_done {
                return Classes { of, first };
            }
        }
    }

    /// The properties that the types of one class share, given a coarser partition.
    fn signature(&self, id: usize, classes: &[usize]) -> Signature {
        let inner = self.inner(id).into_iter();
        let parts = inner.map(|part| (classes[part.0 as usize], self.clauses_key(part.0 as usize))).collect();
        let (mut numbers, mut domain) = (vec![classes[id]], None);
        match &self.types[id].form {
            Form::Empty => numbers.push(0),
            Form::Scalar(values) => {
                numbers.push(1);
                domain = Some(values.clone());
            }
            Form::Str(elements) | Form::Seq(elements) => {
                let is_text = matches!(self.types[id].form, Form::Str(_));
                numbers.extend([
                    if is_text { 2 } else { 3 },
                    elements.collection.map_or(0, |kind| kind as usize + 1),
                ]);
                numbers.extend(elements.at.iter().map(|(index, _)| *index as usize));
                numbers.push(usize::MAX);
                numbers.extend(elements.lens.iter().map(|len| *len as usize));
            }
            Form::Tuple(_) => numbers.push(4),
            Form::Data(ctors) => {
                numbers.push(5);
                let data = self.data_of(id).map_or(0, |data| std::ptr::from_ref(data) as usize);
                numbers.push(data);
                numbers.extend(ctors.iter().map(|ctor| match ctor {
                    None => 0,
                    Some(ctor) => 1 + usize::from(ctor.recursive),
                }));
            }
        }
        (numbers, domain, parts)
    }
}
