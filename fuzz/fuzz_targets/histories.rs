#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let surface = surfaces::find("histories").expect("it is in the list");
    (surface.feed)(input);
});
