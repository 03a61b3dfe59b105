//! Tests of functions that take functions and values of a trait.

mod strategies;

use proptest::prelude::*;
use strategies::{
    any_pricing_args, called_args, capped_args, job_args, listed_args, looked_args, max_args, priced_args, quotient_args, visit_args,
};

proptest! {
    #[test]
    fn a_result_that_fails((g, n) in quotient_args()) {
        sample::quotient(&*g, n);
    }

    #[test]
    fn results_that_fit_the_arguments((larger, x, y, z) in max_args()) {
        let r = sample::max(&*larger, x, y, z);
        prop_assert!(r >= x && r >= y && r >= z);
    }

    #[test]
    fn a_call_outside_of_the_domain((f, n) in called_args()) {
        sample::called(f.into_box(), n);
    }

    #[test]
    fn a_table_of_methods((p, qty) in any_pricing_args()) {
        prop_assert!(sample::price(p, qty) != 7);
    }

    #[test]
    fn a_contract(p in capped_args()) {
        prop_assert!(sample::capped(&p) <= 2000);
    }

    #[test]
    fn a_history(mut v in visit_args()) {
        prop_assert_ne!(sample::visit(&mut v), [1, 0]);
    }

    #[test]
    fn a_list_of_functions(fs in listed_args()) {
        let fs = fs.into_iter().map(|f| f.into_box() as Box<dyn Fn(u8) -> u8>).collect();
        prop_assert!(sample::listed(fs) < 3);
    }

    #[test]
    fn a_function_that_takes_one(f in looked_args()) {
        let [a, b] = sample::looked(|g| f(&g));
        prop_assert_eq!(a, b);
    }

    #[test]
    fn a_function_that_takes_one_and_passes(f in looked_args()) {
        let [a, b] = sample::looked(|g| f(&g));
        prop_assert!(u16::from(a) + u16::from(b) < 511);
    }

    #[test]
    fn a_list_of_values((ps, qty) in priced_args()) {
        let ps = ps.into_iter().map(|p| Box::new(p) as Box<dyn sample::Pricing>).collect();
        prop_assert!(sample::priced(ps, qty) <= 9 * 8);
    }
}

#[test]
fn a_function_in_a_field() {
    assert!(job_args().sample(1).take(50).all(|job| (job.run)(3) == (job.run)(3)));
}
