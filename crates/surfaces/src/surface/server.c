/* An evaluation server that does what its orders say, right or wrong. The orders are in the file "orders" beside the
   program, a byte for what to do and what it needs:
     w HI LO N bytes  write N bytes at the place HI*256+LO of the page (cut off at its end)
     p                post the reply;  q  take a query;  s N  sleep N milliseconds
     a                answer as it should be: take a query, fill the results, post;  x N  end with status N
   After the last order it ends. */

#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static unsigned char orders[4096];
static size_t count, at;

static int next(void) { return at < count ? orders[at++] : 0; }

/* Takes a query if there is one within half a second. */
static void take(sem_t *query) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    sem_timedwait(query, &until);
}

int main(int argc, char **argv) {
    char path[4096];
    if (argc < 2 || strlen(argv[0]) > 4000)
        return 3;
    strcpy(path, argv[0]);
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "orders");
    FILE *file = fopen(path, "rb");
    if (!file)
        return 4;
    count = fread(orders, 1, sizeof orders, file);
    fclose(file);
    unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[1]), 0);
    if (page == MAP_FAILED)
        return 5;
    sem_t *query = sem_open((char *)page + 32, 0), *reply = sem_open((char *)page + 64, 0);
    if (query == SEM_FAILED || reply == SEM_FAILED)
        return 6;
    while (at < count) {
        switch (next()) {
        case 'w': {
            int place = next() << 8;
            place |= next();
            for (int n = next(); n > 0; n--)
                page[place++ & 4095] = (unsigned char)next();
            break;
        }
        case 'p':
            sem_post(reply);
            break;
        case 'q':
            take(query);
            break;
        case 's':
            usleep(1000 * next());
            break;
        case 'x':
            return next();
        case 'a': {
            take(query);
            int32_t tag, side;
            memcpy(&tag, page + 152, 4);
            memcpy(&side, page + 156, 4);
            for (int slot = 0; slot < 128; slot++) {
                int32_t value = tag + slot;
                memcpy(page + 1696 + 512 * (side & 1) + 4 * slot, &value, 4);
            }
            sem_post(reply);
            break;
        }
        }
    }
    return 0;
}
