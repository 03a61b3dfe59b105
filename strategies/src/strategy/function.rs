//! Functions as values of a strategy.
//!
//! A function is a table that is filled while the test calls it, as in a run of the tool: the same arguments have the same result,
//! and a call that its type excludes panics. Only what was called is shown, so a value is shown after its test ran.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::child::serve::functions::Functions;
use crate::logic::value::Value;

/// A function that a strategy made. `F` is a trait object, such as `dyn Fn(i32) -> i32 + Send + Sync`.
///
/// It can be called like a closure, and passed on: `&*f` for a `&dyn Fn` or an `impl Fn`, `&mut *f` for a `&mut dyn FnMut` or an
/// `impl FnMut`, [`into_box`](Function::into_box) for a `Box<dyn Fn>` or an `impl FnOnce`. `Debug` shows it as a closure, with the
/// results of the calls so far: `|x| match x { 0 => 3, _ => 1 }`.
pub struct Function<F: ?Sized> {
    code: Box<F>,
    asked: Asked,
}

impl<F: ?Sized> Function<F> {
    /// The function that a part of the arguments is, made of code that asks for results. Written files use it, while a value of
    /// [`Members`](super::Members) is made.
    pub fn new(value: &Value, callback: u32, code: impl FnOnce(Asked) -> Box<F>) -> Function<F> {
        let functions =
            CURRENT.with_borrow(Clone::clone).expect("functions are made with the values of a strategy");
        let number = functions.number(value, callback);
        let asked = Asked { functions, number };
        Function { code: code(asked.clone()), asked }
    }

    /// The function alone. It is no longer shown.
    pub fn into_box(self) -> Box<F> {
        self.code
    }
}

impl<F: ?Sized> Deref for Function<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.code
    }
}

impl<F: ?Sized> DerefMut for Function<F> {
    fn deref_mut(&mut self) -> &mut F {
        &mut self.code
    }
}

impl<F: ?Sized> fmt::Debug for Function<F> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.asked.functions.code(self.asked.number))
    }
}

/// Gives the results of one function.
#[derive(Clone, Debug)]
pub struct Asked {
    functions: Functions,
    number: usize,
}

impl Asked {
    /// The result of a call.
    ///
    /// # Panics
    ///
    /// Panics if the type of the function excludes the call, or if no result is found that its spec admits.
    pub fn call(&self, args: &[Value]) -> Value {
        self.functions.call(self.number, args)
    }
}

thread_local! {
    /// The functions of the value that is being made.
    static CURRENT: RefCell<Option<Functions>> = const { RefCell::new(None) };
}

/// Makes a value with these functions.
pub(super) fn with_functions<T>(functions: &Functions, make: impl FnOnce() -> T) -> T {
    struct Restored(Option<Functions>);
    impl Drop for Restored {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = Restored(CURRENT.replace(Some(functions.clone())));
    make()
}
