;; A metric of one's own: the "bum-wrap" count (A 4.5, K 3, Q 1.5, J 0.75, T 0.25) as a WebAssembly module.
;;
;; It gives the same numbers as the built-in metric 23, so that one can be compared with the other:
;;
;;     croupier value -U examples/metrics/bumwrap.wat --tag 23 "N:... ... ... ..."
;;
;; A metric module exports its memory and one function. See docs/user-metrics.md for the interface.
(module
  (memory (export "memory") 1)

  ;; What a stiff honour and a doubleton are worth, in hundredths, 16 bits each. Both tables are indexed by
  ;; the five top cards of the suit as bits: A 16, K 8, Q 4, J 2, T 1.
  (data (i32.const 0)
    "\00\00\00\00\00\00\00\00\32\00\00\00\00\00\00\00"
    "\c8\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"
    "\c2\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00"
    "\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00")
  (data (i32.const 64)
    "\00\00\00\00\00\00\00\00\4b\00\64\00\7d\00\00\00"
    "\2c\01\2c\01\2c\01\00\00\5e\01\00\00\00\00\00\00"
    "\c2\01\db\01\0d\02\00\00\58\02\00\00\00\00\00\00"
    "\ee\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00")
  ;; The scale in suits of three cards and more: A, K, Q, J, T.
  (data (i32.const 128)
    "\c2\01\2c\01\96\00\4b\00\19\00")

  ;; The value of a suit of three cards or more: the honours among its three highest cards, but behind
  ;; AKQ all five count, and behind AKJ four.
  (func $long_suit (param $top i32) (result i32)
    (local $most i32) (local $card i32) (local $sum i32)
    (local.set $most (i32.const 3))
    (if (i32.eq (i32.and (local.get $top) (i32.const 26)) (i32.const 26))
      (then (local.set $most (i32.const 4))))
    (if (i32.eq (i32.and (local.get $top) (i32.const 28)) (i32.const 28))
      (then (local.set $most (i32.const 5))))
    (loop $cards
      (if (i32.and (local.get $top) (i32.shr_u (i32.const 16) (local.get $card)))
        (then
          (if (i32.gt_s (local.get $most) (i32.const 0))
            (then
              (local.set $sum (i32.add (local.get $sum)
                (i32.load16_u offset=128 (i32.shl (local.get $card) (i32.const 1)))))))
          (local.set $most (i32.sub (local.get $most) (i32.const 1)))))
      (local.set $card (i32.add (local.get $card) (i32.const 1)))
      (br_if $cards (i32.lt_u (local.get $card) (i32.const 5))))
    (local.get $sum))

  ;; The value of a holding, given as thirteen bits, deuce lowest.
  (func $suit (param $holding i32) (result i32)
    (local $top i32) (local $length i32)
    (local.set $top (i32.shr_u (local.get $holding) (i32.const 8)))
    (local.set $length (i32.popcnt (local.get $holding)))
    (if (i32.ge_u (local.get $length) (i32.const 3))
      (then (return (call $long_suit (local.get $top)))))
    (if (i32.eq (local.get $length) (i32.const 2))
      (then (return (i32.load16_u offset=64 (i32.shl (local.get $top) (i32.const 1))))))
    (i32.load16_u (i32.shl (local.get $top) (i32.const 1))))

  ;; How many cards of a rank (0 is the deuce) the hand has: one bit in every suit.
  (func $count (param $hand i64) (param $rank i64) (result i32)
    (i32.wrap_i64 (i64.popcnt (i64.and (local.get $hand)
      (i64.shl (i64.const 0x8004002001) (local.get $rank))))))

  ;; Spot cards: 3 for each ten, 2 for each nine, 1 for each eight.
  (func $body (param $hand i64) (result i32)
    (i32.add
      (i32.add
        (i32.mul (i32.const 3) (call $count (local.get $hand) (i64.const 8)))
        (i32.mul (i32.const 2) (call $count (local.get $hand) (i64.const 7))))
      (call $count (local.get $hand) (i64.const 6))))

  ;; Whole points: values close to a half go up only with a body of twelve or more.
  (func $round (param $value i32) (param $body i32) (result i32)
    (local $rest i32)
    (local.set $rest (i32.rem_u (local.get $value) (i32.const 100)))
    (i32.add
      (i32.div_u (local.get $value) (i32.const 100))
      (i32.or
        (i32.gt_u (local.get $rest) (i32.const 55))
        (i32.and
          (i32.ge_u (local.get $rest) (i32.const 45))
          (i32.ge_u (local.get $body) (i32.const 12))))))

  ;; Results, four bytes each: 0 to 2 rounded points of side, first and second hand; 3 to 5 the same in
  ;; hundredths; 6 and 7 the body of each hand, again in 126 and 127; 8 to 15 the suits of each hand.
  (func (export "evaluate")
    (param $tag i32) (param $side i32) (param $deal i32) (param $results i32) (result i32)
    (local $hand i64) (local $h i32) (local $suit i32)
    (local $value i32) (local $sum i32) (local $body i32) (local $rounded i32)
    (if (i32.ne (local.get $tag) (i32.const 23))
      (then (return (i32.const -1))))
    (loop $hands
      ;; North and South are seats 0 and 2, East and West 1 and 3.
      (local.set $hand (i64.load (i32.add (local.get $deal)
        (i32.shl (i32.add (local.get $side) (i32.shl (local.get $h) (i32.const 1))) (i32.const 3)))))
      (local.set $sum (i32.const 0))
      (local.set $suit (i32.const 0))
      (loop $suits
        (local.set $value (call $suit (i32.and (i32.const 8191) (i32.wrap_i64
          (i64.shr_u (local.get $hand)
            (i64.extend_i32_u (i32.mul (i32.const 13) (local.get $suit))))))))
        (local.set $sum (i32.add (local.get $sum) (local.get $value)))
        (i32.store offset=32
          (i32.add (local.get $results) (i32.shl
            (i32.add (i32.shl (local.get $h) (i32.const 2)) (local.get $suit)) (i32.const 2)))
          (local.get $value))
        (local.set $suit (i32.add (local.get $suit) (i32.const 1)))
        (br_if $suits (i32.lt_u (local.get $suit) (i32.const 4))))
      (local.set $body (call $body (local.get $hand)))
      (local.set $rounded (call $round (local.get $sum) (local.get $body)))
      (call $put_hand (local.get $results) (local.get $h)
        (local.get $rounded) (local.get $sum) (local.get $body))
      (local.set $h (i32.add (local.get $h) (i32.const 1)))
      (br_if $hands (i32.lt_u (local.get $h) (i32.const 2))))
    (i32.const 128))

  ;; Writes the totals of a hand and adds them to those of the side.
  (func $put_hand
    (param $results i32) (param $h i32) (param $rounded i32) (param $sum i32) (param $body i32)
    (local $place i32)
    (local.set $place (i32.add (local.get $results) (i32.shl (local.get $h) (i32.const 2))))
    (i32.store offset=4 (local.get $place) (local.get $rounded))
    (i32.store offset=16 (local.get $place) (local.get $sum))
    (i32.store offset=24 (local.get $place) (local.get $body))
    (i32.store offset=504 (local.get $place) (local.get $body))
    (i32.store (local.get $results)
      (i32.add (i32.load (local.get $results)) (local.get $rounded)))
    (i32.store offset=12 (local.get $results)
      (i32.add (i32.load offset=12 (local.get $results)) (local.get $sum)))))
