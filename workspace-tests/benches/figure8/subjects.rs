//! The functions of figure 8 in *Type Targeted Testing* (section 5.1), as they stand in the fixtures.
//!
//! At depth `d`, integers are in `-d..=d`, names in `0..=d`, and windows are the first `d + 1` characters. The times are those
//! that the paper's figure is drawn from, in seconds, from depth 2 on, on its machine: of Target, and of Lazy SmallCheck where that
//! looked at the order first. Where they end, an hour was over.

/// A function, at every depth.
pub struct Subject {
    /// What the paper calls it.
    pub name: &'static str,
    /// The fixture that it is in.
    pub fixture: &'static str,
    /// Its path there.
    pub call: &'static str,
    /// Its spec at a depth.
    pub spec: fn(u32) -> String,
    /// The bound at a depth: it has to reach the sizes that maps store.
    pub bound: fn(u32) -> u32,
    /// That the inputs are of the greatest size there is at a depth.
    pub largest: fn(u32) -> String,
    /// The same as a size for the native engine to list; `None` where it gets the precondition, too.
    pub size: fn(u32) -> Option<u32>,
    /// The greatest depth to go to.
    pub to: u32,
    /// The paper's seconds.
    pub paper: &'static [f64],
    /// Those of Lazy SmallCheck.
    pub lazy: &'static [f64],
}

/// A measure that only the greatest size needs: the table, and the entry.
pub const NODES: (&str, &str) = (
    "lambda",
    r#""nodes(e: Expr) -> int" = "match e { Expr::Var(_) => 1, Expr::Lam(_, b) => 1 + nodes(b), Expr::App(f, a) => 1 + nodes(f) + nodes(a) }""#,
);

/// All of them.
pub const SUBJECTS: [Subject; 6] = [LIST, TREE, DELETE, DIFFERENCE, STACKS, TERMS];

const LIST: Subject = Subject {
    name: "List.insert",
    fixture: "trees",
    call: "list::insert_unique",
    spec: |_| {
        "fn(x: i64, xs: UniqueList<i64>) -> {v: UniqueList<i64> | elems(sequence(v)) == elems(sequence(xs)).with(x)}"
            .to_owned()
    },
    bound: |depth| depth,
    largest: |depth| format!("sequence(xs).len() == {depth}"),
    size: Some,
    to: 20,
    paper: &[
        1.91, 1.43, 2.93, 4.86, 4.58, 6.29, 6.70, 6.89, 6.60, 6.11, 6.50, 5.36, 7.08, 5.27, 7.04, 5.68, 8.30,
        7.53, 8.63,
    ],
    lazy: &[
        8.5e-5, 1.3e-4, 3.2e-4, 9.9e-4, 3.1e-3, 0.0115, 0.0322, 0.0896, 0.323, 1.32, 3.11, 8.90, 25.8, 73.7,
        231.0, 648.0, 2545.0,
    ],
};

const TREE: Subject = Subject {
    name: "RBTree.add",
    fixture: "trees",
    call: "rbtree::insert",
    spec: |_| "fn(k: i64, t: OkTree) -> {v: OkRoot | keys(v) == keys(t).with(k)}".to_owned(),
    bound: |depth| depth,
    largest: |depth| format!("size(t) == {}", most_keys(depth)),
    size: |depth| Some(most_keys(depth)),
    to: 12,
    paper: &[5.35, 1.88, 1.82, 3.46, 10.7, 21.9, 41.7, 78.6, 208.6, 552.9, 1508.1],
    lazy: &[9.3e-5, 4.5e-4, 0.0202, 32.2],
};

const DELETE: Subject = Subject {
    name: "Map.delete",
    fixture: "maps",
    call: "delete",
    spec: |depth| {
        let key = key(depth);
        let map = format!("OkMap<{key}, One>");
        format!("fn(k: {key}, m: {map}) -> {{v: {map} | keys(v) == keys(m).without(k)}}")
    },
    bound: |depth| 2 * depth + 1,
    largest: |depth| format!("size(m) == {}", most_keys(depth)),
    size: |depth| Some(most_keys(depth)),
    to: 10,
    paper: &[9.29, 3.25, 4.06, 4.96, 11.1, 41.9, 87.8, 248.0, 1635.1],
    lazy: &[0.0446, 3.5e-4, 6.3e-3, 0.546, 999.5],
};

const DIFFERENCE: Subject = Subject {
    name: "Map.difference",
    fixture: "maps",
    call: "difference",
    spec: |depth| {
        let (one, two) = (format!("OkMap<{}, One>", key(depth)), format!("OkMap<{}, Two>", key(depth)));
        format!("fn(a: {one}, b: {two}) -> {{v: {one} | keys(v) == keys(a).difference(keys(b))}}")
    },
    bound: |depth| 2 * depth + 1,
    largest: |depth| format!("size(a) == {0} && size(b) == {0}", most_keys(depth)),
    size: |depth| Some(2 * most_keys(depth)),
    to: 9,
    paper: &[4.95, 3.66, 5.88, 23.0, 46.4, 98.3, 217.1, 1186.2],
    lazy: &[0.0177, 2.1e-3, 0.225, 353.0],
};

const STACKS: Subject = Subject {
    name: "XMonad.focus_left",
    fixture: "stackset",
    call: "laws::focus_left_master",
    spec: |_| "fn(n: u8, s: OkStackSet) -> True".to_owned(),
    bound: |depth| depth,
    // There are as many tags as windows.
    largest: |depth| format!("windows(s).len() == {0} && tags(s).len() == {0}", depth + 1),
    size: |_| None,
    to: 8,
    paper: &[13.8, 17.0, 31.4, 166.7, 496.3, 773.5, 2723.8],
    lazy: &[4.0e-5, 1.3e-4, 2.3e-4, 3.0e-3, 0.820],
};

const TERMS: Subject = Subject {
    name: "Expr.subst",
    fixture: "lambda",
    call: "substitute",
    spec: |_| "fn(e: Closed, x: u8, by: Closed) -> {v: Closed | v == e}".to_owned(),
    bound: |depth| depth,
    // Applications down to the last but one constructor on each path, there a binder, and a variable.
    largest: |depth| format!("nodes(e) == {0} && nodes(by) == {0}", most_nodes(depth)),
    size: |depth| Some(2 * most_nodes(depth)),
    to: 6,
    // Given up at depth 4.
    paper: &[5.79, 28.3],
    lazy: &[9.8e-5, 2.8e-3, 0.0731, 136.0],
};

/// How many nodes a closed term may have at a depth.
fn most_nodes(depth: u32) -> u32 {
    3 * 2_u32.pow(depth - 1) - 1
}

fn key(depth: u32) -> String {
    format!("{{k: i64 | -{depth} <= k && k <= {depth}}}")
}

/// How many keys a balanced tree may have at a depth: there are `2 * depth + 1`, and as many places as in a full tree.
fn most_keys(depth: u32) -> u32 {
    (2_u32.pow(depth) - 1).min(2 * depth + 1)
}
