//! What each command of the simulator means, on small programs.

use crate::common;

use common::World;
use taut_ir::{Finding, FullBuffer, Memory, MemoryModel};
use taut_simulate::facts::{Truth, facts};
use taut_simulate::{Command, Progress, Script, Simulator, Stop, commands, view};

const SB: &str = "
    shared bool x; shared bool y;
    process p begin local bool r; x := 1; r := y; done: ; end
    process q begin local bool r; y := 1; r := x; done: ; end
    forbid both: p@done && q@done && p:r == 0 && q:r == 0;
    ltl met: <> (x == 1);
";

fn at_start(world: &World, model: MemoryModel) -> Simulator<'_> {
    Simulator::new(world, world.program(), Memory::new(model), 1)
}

#[test]
fn another_action_drops_what_lies_ahead_and_the_same_one_keeps_it() {
    let world = World::new(SB);
    let mut simulator = at_start(&world, MemoryModel::Tso);
    for _ in 0..3 {
        simulator.take(0).expect("it can happen");
    }
    simulator.go_to(1).expect("a row");
    simulator.take(0).expect("what happened before");
    assert_eq!((simulator.at(), simulator.rows().len()), (2, 3), "the same action keeps the rest");
    simulator.go_to(1).expect("a row");
    simulator.take(1).expect("the commit");
    assert_eq!((simulator.at(), simulator.rows().len()), (2, 2), "another one drops it");
    assert!(simulator.go_to(3).is_err());
    assert!(simulator.forward(1).is_err());
    assert!(simulator.back(3).is_err());
}

#[test]
fn running_to_a_condition_stops_at_the_first_state_and_says_what_it_found() {
    let world = World::new(SB);
    let mut simulator = at_start(&world, MemoryModel::Tso);
    let progress = simulator.run_to("p@done && q@done && p:r == 0 && q:r == 0").expect("one");
    assert!(matches!(progress, Progress::Found(actions) if actions.len() == 4));
    assert_eq!(simulator.found(), [Finding::Property(0.into())]);
    assert_eq!(simulator.run_to("q@done"), Ok(Progress::Found(vec![])), "it is true already");
    assert!(matches!(simulator.run_to("x == 1 && p:r == 1"), Ok(Progress::Nowhere(_))));
    assert_eq!(simulator.at(), 4, "a search that finds nothing goes nowhere");
    assert!(simulator.run_to("<> x == 1").is_err(), "a condition is about one state");
    assert!(simulator.run_to("z == 1").is_err());
    let mut strong = at_start(&world, MemoryModel::Sc);
    let missed = strong.run_to("p@done && q@done && p:r == 0 && q:r == 0");
    assert!(matches!(missed, Ok(Progress::Nowhere(met)) if !met.any()));
}

#[test]
fn a_search_can_be_made_in_portions() {
    let world = World::new(SB);
    let mut simulator = at_start(&world, MemoryModel::Pso);
    let mut quest = taut_simulate::SearchTo::new(&simulator, "x == 1 && y == 1").expect("one");
    let mut portions = 0;
    let progress = loop {
        portions += 1;
        match quest.advance(&mut simulator, 1).expect("no trouble") {
            Progress::Searching => assert_eq!(simulator.at(), 0),
            progress => break progress,
        }
    };
    assert!(portions > 3, "{portions}");
    assert!(
        matches!(simulator.follow(progress), Ok(Progress::Found(actions)) if actions.len() == 4)
    );
    assert_eq!(simulator.at(), 4);
}

#[test]
fn walks_stop_at_what_goes_wrong_and_go_on_past_it() {
    let world = World::new(SB);
    let seeds = 1..200;
    let stopped = seeds.filter_map(|seed| {
        let mut simulator =
            Simulator::new(&world, world.program(), Memory::new(MemoryModel::Tso), seed);
        let walk = simulator.walk(100);
        let found = walk.stop == Stop::Found(vec![Finding::Property(0.into())]);
        assert!(found || walk.stop == Stop::End);
        found.then_some(simulator)
    });
    let mut stopped: Vec<_> = stopped.collect();
    assert!(!stopped.is_empty(), "some walk finds it");
    assert_eq!(stopped[0].walk(100).stop, Stop::End, "what is known already stops no walk");
}

#[test]
fn a_step_that_goes_wrong_ends_the_run_and_can_be_gone_back_from() {
    let world = World::new("shared int x; process p begin x := 1; x := 2; end");
    let full_buffer = FullBuffer::Error;
    let memory = Memory { full_buffer, ..Memory::new(MemoryModel::Tso).bounded(Some(1)) };
    let mut simulator = Simulator::new(&world, world.program(), memory, 1);
    simulator.take(0).expect("there is room");
    let full = simulator.choices().iter().position(|c| c.row.failure.is_some());
    simulator.take(full.expect("a store without room")).expect("it goes wrong");
    assert!(simulator.has_ended() && simulator.choices().is_empty());
    assert_eq!(simulator.found(), [Finding::FullBuffer]);
    assert!(matches!(simulator.run_to("x == 2"), Ok(Progress::Nowhere(_))));
    simulator.back(1).expect("a way back");
    assert_eq!(simulator.choices().len(), 2);
}

#[test]
fn buffers_are_drawn_as_queues() {
    let text = "shared int x; shared int y; process p begin x := 1; y := 2; sfence; x := 3; end";
    let world = World::new(text);
    let drawn = |model| {
        let mut simulator = at_start(&world, model);
        // The stores and the fence, none of them committed.
        for _ in 0..4 {
            simulator.take(0).expect("a step");
        }
        let (names, state) = (simulator.names(), simulator.state());
        view::queue_text(&view::queues(names, model, state, taut_ir::ProcId(0)))
    };
    assert_eq!(drawn(MemoryModel::Tso), "⇠│x=1│y=2│x=3│");
    assert_eq!(drawn(MemoryModel::Pso), "x⇠│1│ y⇠│2│ ¦ x⇠│3│");
}

#[test]
fn facts_say_what_is_true_now() {
    let world = World::new(SB);
    let mut simulator = at_start(&world, MemoryModel::Tso);
    let truths = |simulator: &Simulator<'_>| -> Vec<_> {
        facts(simulator).into_iter().map(|fact| (fact.name, fact.truth)).collect()
    };
    let (both, met) = ("both".to_string(), "met: x == 1".to_string());
    let expected = [(both.clone(), Truth::Fine), (met.clone(), Truth::False)];
    assert_eq!(truths(&simulator), expected);
    simulator.run_to("p@done && q@done && p:r == 0 && q:r == 0").expect("a condition");
    let expected = [(both.clone(), Truth::Violated), (met.clone(), Truth::False)];
    assert_eq!(truths(&simulator), expected);
    simulator.run_to("x == 1").expect("a condition");
    assert_eq!(truths(&simulator), [(both, Truth::Violated), (met, Truth::True)]);
}

#[test]
fn scripts_print_what_happens_and_refuse_what_cannot() {
    let world = World::new(SB);
    let mut script = Script::new(at_start(&world, MemoryModel::Tso));
    let mut say = |text: &str| {
        let mut all = String::new();
        for command in commands(text).expect("commands") {
            match script.run(&command) {
                Ok(answer) => all.push_str(&answer),
                Err(refused) => return Err(refused.to_string()),
            }
        }
        Ok(all)
    };
    assert_eq!(say("0"), Err("actions are counted from 1".into()));
    assert_eq!(say("3"), Err("there is no action 3; 1 to 2 can happen".into()));
    assert_eq!(say("b"), Err("this is the start; nothing lies behind".into()));
    assert_eq!(say("f"), Err("nothing lies ahead; choose an action".into()));
    assert_eq!(say("s(x)"), Err("there are no files here".into()));
    let after = say("1").expect("a step");
    assert!(after.starts_with("   1  p: x := 1\nafter 1\n"), "{after}");
    assert!(after.contains("⇠│x=1│"), "{after}");
    assert_eq!(say("h").expect("the history"), "   1  p: x := 1\n");
    assert!(say("u(z)").is_err());
    assert!(say("r99").expect("a walk").contains("stopped after"));
    assert!(!script.quits());
    script.run(&Command::Quit).expect("an end");
    assert!(script.quits());
}
