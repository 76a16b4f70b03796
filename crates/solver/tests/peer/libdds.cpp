// Asks Debian's libdds, so that the tests and benchmarks have a second, independent opinion.
//
// Reads questions from standard input, one a line, and writes one line of numbers for each; the
// first number is the CPU time of the answer in nanoseconds.
//   T DEAL                  the twenty results: N E S W for spades, hearts, diamonds, clubs, notrump
//   C DEAL TRUMP LEADER     tricks of the best opening lead
//   G DEAL TRUMP LEADER N   1 if the leader's side takes at least N tricks, else 0
//   L DEAL TRUMP LEADER     suit, rank, mask of lower equals and tricks of every distinct lead
//   P DEAL TRUMP LEADER SOLUTIONS CARDS   the same in a position, or the tricks of the best card (SOLUTIONS 1 instead of 3);
//                           CARDS is suit and rank of the three cards on the table, with rank 0 for none
// DEAL is sixteen hexadecimal holdings joined by commas, North's spades first, West's clubs last,
// bit 2 being the deuce. TRUMP is 0 to 4, spades to notrump; LEADER is 0 to 3, North to West.

#include <dds/dll.h>

#include <cstdio>
#include <cstring>
#include <ctime>

static long long cpu_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static bool read_cards(const char* text, unsigned cards[4][4]) {
  for (int hand = 0; hand < 4; hand++)
    for (int suit = 0; suit < 4; suit++) {
      int used = 0;
      if (sscanf(text, "%x%n", &cards[hand][suit], &used) != 1) return false;
      text += used;
      if (*text == ',') text++;
    }
  return true;
}

static int fail(const char* call, int status) {
  char text[80];
  ErrorMessage(status, text);
  fprintf(stderr, "%s: %s\n", call, text);
  return 1;
}

static int table(const char* cards_text) {
  ddTableDeal cards;
  ddTableResults results;
  if (!read_cards(cards_text, cards.cards)) return fail("cards", -99);
  long long start = cpu_nanoseconds();
  int status = CalcDDtable(cards, &results);
  long long spent = cpu_nanoseconds() - start;
  if (status != RETURN_NO_FAULT) return fail("CalcDDtable", status);
  printf("%lld", spent);
  for (int strain = 0; strain < 5; strain++)
    for (int hand = 0; hand < 4; hand++) printf(" %d", results.resTable[strain][hand]);
  putchar('\n');
  return 0;
}

static int board(char question, const char* cards_text, int trump, int leader, int target) {
  deal position;
  memset(&position, 0, sizeof position);
  if (!read_cards(cards_text, position.remainCards)) return fail("cards", -99);
  position.trump = trump;
  position.first = leader;
  futureTricks found;
  int solutions = question == 'L' ? 3 : 1;
  long long start = cpu_nanoseconds();
  int status = SolveBoard(position, question == 'G' ? target : -1, solutions, 1, &found, 0);
  long long spent = cpu_nanoseconds() - start;
  if (status != RETURN_NO_FAULT) return fail("SolveBoard", status);
  printf("%lld", spent);
  if (question == 'C') {
    printf(" %d", found.score[0]);
  } else if (question == 'G') {
    printf(" %d", found.cards > 0 && found.score[0] >= target);
  } else {
    for (int i = 0; i < found.cards; i++)
      printf(" %d %d %d %d", found.suit[i], found.rank[i], found.equals[i], found.score[i]);
  }
  putchar('\n');
  return 0;
}

// Reads solutions and table of a position, and answers as for L.
static int later(const char* cards_text, int trump, int leader) {
  deal position;
  memset(&position, 0, sizeof position);
  int solutions;
  if (!read_cards(cards_text, position.remainCards)) return fail("cards", -99);
  if (scanf("%d", &solutions) != 1) return fail("question", -99);
  for (int i = 0; i < 3; i++)
    if (scanf("%d %d", &position.currentTrickSuit[i], &position.currentTrickRank[i]) != 2)
      return fail("question", -99);
  position.trump = trump;
  position.first = leader;
  futureTricks found;
  long long start = cpu_nanoseconds();
  int status = SolveBoard(position, -1, solutions, 1, &found, 0);
  long long spent = cpu_nanoseconds() - start;
  if (status != RETURN_NO_FAULT) return fail("SolveBoard", status);
  printf("%lld", spent);
  for (int i = 0; i < found.cards; i++)
    printf(" %d %d %d %d", found.suit[i], found.rank[i], found.equals[i], found.score[i]);
  putchar('\n');
  return 0;
}

int main() {
  SetMaxThreads(1);
  char question, cards[128];
  while (scanf(" %c %127s", &question, cards) == 2) {
    int trump = 0, leader = 0, target = 0, status;
    if (question != 'T' && scanf("%d %d", &trump, &leader) != 2) return fail("question", -99);
    if (question == 'G' && scanf("%d", &target) != 1) return fail("question", -99);
    if (question == 'T')
      status = table(cards);
    else if (question == 'P')
      status = later(cards, trump, leader);
    else
      status = board(question, cards, trump, leader, target);
    if (status != 0) return status;
    fflush(stdout);
  }
  return 0;
}
