// The dealer language, for editors: every script that the compiler accepts parses without an error node.
// queries/highlights.scm assigns words to classes; its lists are generated from the word tables of the language.

const PREC = { choose: 1, or: 2, and: 3, equal: 4, compare: 5, sum: 6, product: 7, unary: 8, call: 9 };

const OPERATORS = [['or', '||'], ['and', '&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%'], ['?', ':']];

// Statements of DealerV2. A script may also define their words as names.
const SOFT = ['seed', 'title', 'opener', 'startboard', 'otherwise'];

// The calls of a rule of a bidding system up to its colon: `1N-(P)-2C!:`. A wildcard for the first call would look like an operator.
const WORDS = /[Pp]\*?|[Pp][Aa][Ss][Ss]|[Xx]{1,2}|[Rr]?[Dd][Bb][Ll]|([Rr][Ee])?[Dd][Oo][Uu][Bb][Ll][Ee]|[Aa][Nn][Yy]|[1-7]([CDHSNcdhsn]|[Nn][Tt])/;
const MADE = `(${WORDS.source})!?`;
const FIRST = `(${MADE}|\\([ \\t]*${MADE}[ \\t]*\\))`;
const NEXT = `(${FIRST}|[?*])`;
const AUCTION = new RegExp(`${FIRST}([- \\t]*${NEXT})*[ \\t]*:`);

const list = (item) => seq(item, repeat(seq(',', item)));

module.exports = grammar({
  name: 'dealer',

  extras: ($) => [/[\s\u00a0\ufeff]/, ';', $.comment],
  word: ($) => $.identifier,

  rules: {
    script: ($) => repeat($._statement),

    _statement: ($) => choice($.definition, $.condition, $.action, $.predeal, $.setting, $.rule, $._bare_condition),

    // A rule of a bidding system: the calls, the hands that make the last one, and its meaning.
    rule: ($) => prec.right(seq($.auction, $._expression, optional($.string))),
    auction: () => token(prec(3, AUCTION)),

    definition: ($) => seq(field('name', choice($.identifier, alias($._soft, $.identifier))), '=', field('value', $._expression)),
    _soft: () => choice(...SOFT),

    condition: ($) => seq('condition', $._expression),
    _bare_condition: ($) => alias($._expression_statement, $.condition),
    _expression_statement: ($) => prec(-1, $._expression),

    // A comma may follow the last action.
    action: ($) => prec.right(seq('action', list($._act), optional(','))),
    _act: ($) => choice($.average, $.table, $._expression),
    average: ($) => prec.right(seq('average', optional($.string), choice($._expression, $._tested_average))),
    // suokko's `average "text" (value, avg > 5000)`.
    _tested_average: ($) => seq('(', $._expression, ',', $._expression, ')'),
    table: ($) => seq(choice('frequency', 'bktfreq'), optional($.string), $.arguments),

    predeal: ($) => prec.right(seq('predeal', repeat1(choice($.seat, $.holding, ',', $.length, $.parameter)))),
    // A condition without the word `condition` that begins with a suit looks like a predealt length. Both have the same colours.
    length: ($) =>
      prec.right(seq($.suit, '(', $.seat, ')', optional(seq(choice(...OPERATORS.flat()), $._expression)))),
    seat: () => choice('north', 'east', 'south', 'west'),
    suit: () => choice('club', 'clubs', 'diamond', 'diamonds', 'heart', 'hearts', 'spade', 'spades'),
    holding: () => token(prec(1, /[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?/)),

    setting: ($) =>
      choice(
        seq(choice('produce', 'generate', 'seed', 'startboard'), choice($.number, $.parameter)),
        seq(choice('dealer', 'opener', 'vulnerable'), choice($.identifier, $.parameter)),
        seq(choice('title', 'otherwise'), $.string),
        seq('import', $.string),
        prec.right(seq(choice('pointcount', 'altcount'), repeat1(choice($.number, seq('-', $.number), $.parameter)))),
        prec.right(seq('level', optional(list(seq($.identifier, optional(seq('=', $.number))))))),
      ),

    _expression: ($) =>
      choice(
        $.identifier,
        $.number,
        $.shape,
        $.card,
        $.parameter,
        $.call,
        $.parenthesised,
        $.unary,
        $.binary,
        $.choose,
      ),

    parenthesised: ($) => seq('(', $._expression, ')'),
    call: ($) =>
      prec(PREC.call, seq(field('function', choice($.identifier, $.parameter)), choice($.arguments, $.braces))),
    arguments: ($) => seq('(', optional(seq(optional(','), list($._argument), optional(','))), ')'),
    // The shapes of a list need no separator.
    _argument: ($) => prec.left(repeat1(choice($._expression, $.string, $.newline))),
    braces: () => token(seq('{', /[^}]*/, '}')),

    unary: ($) => prec(PREC.unary, seq(choice('not', '!', '-'), $._expression)),
    binary: ($) =>
      choice(
        ...[
          [PREC.or, choice('or', '||')],
          [PREC.and, choice('and', '&&')],
          [PREC.equal, choice('==', '!=')],
          [PREC.compare, choice('<', '<=', '>', '>=')],
          [PREC.sum, choice('+', '-')],
          [PREC.product, choice('*', '/', '%')],
        ].map(([level, operator]) =>
          prec.left(level, seq($._expression, field('operator', operator), $._expression)),
        ),
      ),
    choose: ($) => prec.right(PREC.choose, seq($._expression, '?', $._expression, ':', $._expression)),

    shape: ($) =>
      choice(
        seq('any', choice($.number, $.distribution)),
        $.distribution,
      ),
    distribution: () => token(prec(2, choice(/[0-9x]{3}x/, /[0-9x]{2}x[0-9]/, /[0-9x]x[0-9]{2}/, /x[0-9]{3}/))),
    card: () => token(prec(1, /[2-9][CDHS]/)),
    number: () => token(choice(/[0-9]+(\.[0-9]*)?/, /\.[0-9]+/)),
    string: () => token(seq('"', /[^"]*/, '"')),
    newline: () => token('\\n'),
    parameter: () => token(/\$[0-9]/),
    identifier: () => /[A-Za-z][A-Za-z0-9_]*/,
    comment: () => token(choice(seq('//', /[^\n]*/), seq('#', /[^\n]*/), seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'))),
  },
});
