import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * Measures the cost of the kernel alone: prebuilt frames are written to one socket after the other with blocking `write()`.
 * It greets like the bare server of the benchmark and prints its port. For every line `<frames> <bytes>` it prints the CPU
 * time, in microseconds, of sending this many frames to every client.
 */
const PROGRAM = `
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static double cpu(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return 1e6 * (used.ru_utime.tv_sec + used.ru_stime.tv_sec) + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

int main(int argc, char **argv) {
  int clients = atoi(argv[1]), one = 1, sockets[4096];
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t length = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (argc < 2 || clients > 4096 || bind(server, (struct sockaddr *)&address, length) || listen(server, 64)) return 1;
  getsockname(server, (struct sockaddr *)&address, &length);
  printf("%d\\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int client = 0; client < clients; client += 1) {
    char word[65536];
    int peer = accept(server, NULL, NULL);
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (int times = 0; times < 2; times += 1)
      if (read(peer, word, sizeof word) <= 0 || write(peer, "ok", 2) != 2) return 1;
    sockets[client] = peer;
  }
  int frames, bytes;
  while (scanf("%d %d", &frames, &bytes) == 2) {
    char *made = malloc((size_t)frames * bytes);
    for (size_t at = 0; at < (size_t)frames * bytes; at += 1) made[at] = (char)(at * 31);
    double before = cpu();
    for (int frame = 0; frame < frames; frame += 1)
      for (int client = 0; client < clients; client += 1)
        for (int sent = 0; sent < bytes;) {
          ssize_t taken = write(sockets[client], made + (size_t)frame * bytes + sent, bytes - sent);
          if (taken <= 0) return 1;
          sent += taken;
        }
    printf("%.0f\\n", cpu() - before);
    fflush(stdout);
    free(made);
  }
  return 0;
}
`;

/** The running program. */
export class CWriteLoop implements Disposable {
  readonly port: number;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #input: Interface;

  private constructor(
    child: ChildProcessByStdio<Writable, Readable, null>,
    input: Interface,
    lines: AsyncIterator<string>,
    port: number,
  ) {
    this.#child = child;
    this.#input = input;
    this.#lines = lines;
    this.port = port;
  }

  /** Compiles and starts the program for this many clients. Resolves with undefined if there is no C compiler. */
  static async start(clients: number): Promise<CWriteLoop | undefined> {
    const directory = mkdtempSync(join(tmpdir(), 'l4desk-c-'));
    try {
      const [source, program] = [join(directory, 'loop.c'), join(directory, 'loop')];
      writeFileSync(source, PROGRAM);
      if (spawnSync('cc', ['-O2', '-o', program, source], { stdio: ['ignore', 2, 2] }).status !== 0) return undefined;
      const child = spawn(program, [String(clients)], { stdio: ['pipe', 'pipe', 'inherit'] });
      const input = createInterface({ input: child.stdout });
      const lines = input[Symbol.asyncIterator]();
      return new CWriteLoop(child, input, lines, Number((await lines.next()).value));
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  /** Sends frames to every client. Resolves with the CPU time in ms. */
  async send(frames: number, bytes: number): Promise<number> {
    this.#child.stdin.write(`${frames} ${bytes}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the C loop ended');
    return Number(value) / 1_000;
  }

  [Symbol.dispose](): void {
    this.#input.close();
    this.#child.kill();
  }
}
