// As deep.c, in ways of Rust.
use std::hint::black_box;
use std::io::Write;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

static TELLING: AtomicBool = AtomicBool::new(false);
static WAY: AtomicUsize = AtomicUsize::new(0);

extern "C" {
    fn backtrace(frames: *mut usize, size: i32) -> i32;
}

#[no_mangle]
#[inline(never)]
pub extern "C" fn leaf(number: usize) -> usize {
    black_box(number)
}

#[inline(never)]
fn last(n: usize) -> usize {
    let mut sum = 0;
    for i in if TELLING.swap(false, Relaxed) { 0..2 } else { 1..2 } {
        if black_box(i) == 0 {
            let mut frames = [0usize; 256];
            let count = unsafe { backtrace(frames.as_mut_ptr(), 256) } as usize;
            print!("truth {}", WAY.load(Relaxed));
            for frame in &frames[1..count] {
                print!(" {:x}", frame);
            }
            println!();
        } else {
            sum += leaf(WAY.load(Relaxed));
        }
    }
    black_box(sum + n)
}

#[inline(never)]
fn plain(n: usize) -> usize {
    black_box(if n > 0 { plain(n - 1) } else { last(n) }) + n
}

#[inline(never)]
fn panicking(n: usize) -> usize {
    if n == 0 {
        panic!();
    }
    black_box(panicking(n - 1)) + n
}

fn hook(n: usize) -> usize {
    panic::catch_unwind(|| panicking(n)).unwrap_or(1)
}

struct Dropped(usize);

impl Drop for Dropped {
    fn drop(&mut self) {
        black_box(plain(self.0));
    }
}

fn dropped(n: usize) -> usize {
    panic::catch_unwind(|| {
        let kept = Dropped(n);
        panic::resume_unwind(Box::new(black_box(kept.0)));
    })
    .unwrap_or(1)
}

fn closure(n: usize) -> usize {
    let down: Box<dyn Fn(usize) -> usize> = Box::new(move |m| if n > 0 { closure(n - 1) + m } else { last(m) });
    black_box(down(n)) + 1
}

fn in_thread(n: usize) -> usize {
    std::thread::spawn(move || plain(n)).join().unwrap()
}

fn sorted(n: usize) -> usize {
    let mut numbers = [2, 1];
    numbers.sort_by(|a: &usize, b| (black_box(plain(n)) * 0 + a).cmp(b));
    numbers[0]
}

fn main() {
    let calls: usize = std::env::args().nth(1).map_or(1, |text| text.parse().unwrap());
    println!("ready");
    std::io::stdout().flush().unwrap();
    std::io::stdin().read_line(&mut String::new()).unwrap();
    panic::set_hook(Box::new(|_| {
        black_box(last(1));
    }));
    let ways: [(&str, fn(usize) -> usize); 6] = [
        ("plain", plain),
        ("hook", hook),
        ("drop", dropped),
        ("closure", closure),
        ("thread", in_thread),
        ("sort", sorted),
    ];
    let mut sum = 0;
    for (number, (name, run)) in ways.iter().enumerate() {
        WAY.store(number, Relaxed);
        for i in 0..calls {
            TELLING.store(i == 0, Relaxed);
            sum += black_box(run(16)) & 1;
        }
        println!("way {} {} {}", number, name, calls);
    }
    black_box(sum);
}
