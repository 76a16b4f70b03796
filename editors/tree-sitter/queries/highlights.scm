; Made from the tables of the language; the words are not to be edited here.

(identifier) @variable
((identifier) @constant.builtin
  (#any-of? @constant.builtin "notrumps" "notrump" "north" "south" "both" "east" "none" "west" "all" "any" "vul" "EW" "NS" "ew" "ns" "nv"))
((identifier) @constant.builtin
  (#any-of? @constant.builtin "parcontract" "deal" "trix"))
((identifier) @function.macro
  (#any-of? @function.macro "evalcontract" "printcompact" "printoneline" "frequency" "printside" "printall" "printpbn" "printrpt" "average" "bktfreq" "printes" "printew" "printns" "csvrpt" "export" "print"))
((identifier) @keyword
  (#any-of? @keyword "pointcount" "startboard" "vulnerable" "condition" "altcount" "generate" "predeal" "produce" "action" "dealer" "import" "opener" "level" "title" "seed"))
((identifier) @constant.builtin
  (#any-of? @constant.builtin "club" "clubs" "diamond" "diamonds" "heart" "hearts" "spade" "spades"))
((identifier) @constant
  (#match? @constant "^([TJQKA][CDHS]|[CDHS][AKQJT2-9]+|[xz][1-7][CDHSN]x{0,2})$"))

(call function: (identifier) @function)
(call function: (identifier) @function.builtin
  (#any-of? @function.builtin "leadtricks" "leadtrick" "balanced" "contract" "controls" "declarer" "diamonds" "estimate" "usereval" "control" "diamond" "hascard" "quality" "hearts" "losers" "metric" "queens" "spades" "tricks" "clubs" "heart" "jacks" "kings" "loser" "queen" "score" "shape" "spade" "trick" "aces" "bids" "cccc" "club" "hcps" "imps" "jack" "king" "tens" "top2" "top3" "top4" "top5" "abs" "ace" "c13" "dds" "hcp" "imp" "ltc" "opc" "par" "pt0" "pt1" "pt2" "pt3" "pt4" "pt5" "pt6" "pt7" "pt8" "pt9" "rnd" "ten"))
(call function: (identifier) @function.macro
  (#any-of? @function.macro "evalcontract" "printcompact" "printoneline" "frequency" "printside" "printall" "printpbn" "printrpt" "average" "bktfreq" "printes" "printew" "printns" "csvrpt" "export" "print"))
(definition name: (identifier) @variable)
(rule (auction) @function)

["condition" "action" "predeal" "produce" "generate" "seed" "startboard" "dealer" "opener" "vulnerable" "title" "otherwise" "import" "pointcount" "altcount" "level"] @keyword
["average" "frequency" "bktfreq"] @function.macro
["and" "or" "not" "any"] @keyword.operator
["&&" "||" "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "!" "?" ":" "="] @operator
["(" ")"] @punctuation.bracket
[","] @punctuation.delimiter
(number) @number
(distribution) @constant
(card) @constant
(holding) @constant
(seat) @constant.builtin
(suit) @function.builtin
(braces) @constant
(string) @string
(newline) @string.escape
(parameter) @variable.parameter
(comment) @comment
