/* An evaluation server for the tests. What it does is in its name: the same program is started as
   "good", "slow", "twice" and so on. It speaks the protocol as any server for DealerV2 would. */

#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *name;

static int is(const char *wanted) {
    return strcmp(name, wanted) == 0;
}

static int32_t number(const char *page, long offset) {
    int32_t value;
    memcpy(&value, page + offset, sizeof value);
    return value;
}

static int64_t offset_at(const char *page, long place) {
    int64_t value;
    memcpy(&value, page + place, sizeof value);
    return value;
}

static void put(char *page, long offset, int32_t value) {
    memcpy(page + offset, &value, sizeof value);
}

/* High card points of a seat, from its cards. */
static int points(const char *page, long deal, int seat) {
    const signed char *cards = (const signed char *)page + deal + 1176 + 13 * seat;
    int sum = 0;
    for (int i = 0; i < 13; i++) {
        int rank = cards[i] & 15;
        if (rank > 8)
            sum += rank - 8;
    }
    return sum;
}

int main(int argc, char **argv) {
    extern char **environ;
    name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    if (argc != 2 || environ[0] != NULL)
        return 3;
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[1]), 0);
    if (page == MAP_FAILED)
        return 4;
    if (is("unready"))
        sleep(1000);
    sem_t *query = sem_open(page + 32, 0), *reply = sem_open(page + 64, 0);
    if (query == SEM_FAILED || reply == SEM_FAILED)
        return 5;
    if (is("stubborn"))
        signal(SIGTERM, SIG_IGN);
    for (int asked = 1;; asked++) {
        sem_wait(query);
        int32_t tag = number(page, offset_at(page, 96));
        if (tag < 0) {
            if (is("stubborn"))
                sleep(1000);
            sem_post(reply);
            return 0;
        }
        if (is("quitter") && asked == 3)
            return 7;
        if (is("crasher") && asked == 3)
            raise(SIGSEGV);
        if (is("slow"))
            usleep(100 * 1000);
        if (is("hanging") && asked == 3)
            sleep(1000);
        int side = number(page, offset_at(page, 96) + 4);
        long deal = offset_at(page, 112), results = offset_at(page, 120 + 8 * side);
        for (int slot = 0; slot < 128; slot++)
            put(page, results + 4 * slot, 10 * tag + slot);
        put(page, results, points(page, deal, side) + points(page, deal, side + 2));
        put(page, results + 4, number(page, deal));
        if (is("scribbler"))
            memset(page, 'x', 152);
        if (is("trespasser"))
            put(page, offset_at(page, 120 + 8 * (1 - side)) + 40, 12345);
        if (is("shrinker") && ftruncate(atoi(argv[1]), 0) == 0)
            return 8;
        if (is("babbler"))
            sem_post(reply);
        sem_post(reply);
    }
}
