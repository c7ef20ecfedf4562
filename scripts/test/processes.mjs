// Says which test files share a process, and in which order the processes start.
//
// To load the modules of a server takes longer than most of the tests that need them. So the files of a wing share processes, some at a
// time. A file has a process of its own if it tests a whole server, starts other processes, or changes or measures what a process has once.

/** How many files share a process. */
const most = 12
const own = new RegExp(
  [
    // hooks that would surround the tests of the other files, and files that go on with their tests before all are loaded
    String.raw`^(beforeEach|afterEach)\(`,
    String.raw`^(const .* = )?(await |useServer\()`,
    // other processes
    'child_process|worker_threads|/server-process|/etcd-process',
    // what a process has once
    String.raw`process\.(env|memoryUsage|umask|on|getActiveResourcesInfo)\b|setFlagsFromString`,
    String.raw`mock\.(timers|method\((performance|Buffer|Uint8Array|console|process)\b)`
  ].join('|'),
  'm'
)

/**
 * Returns lists of files, a list for each process. Those that take longest come first, so that no core is idle while the last one
 * runs: tests of whole servers, then other files with a process of their own.
 * `read` returns the text of a file, and `wing` the wing that it is in.
 */
export function processes(files, { read, wing }) {
  const isWhole = file => wing(file) === 'testkit'
  const alone = []
  const shared = new Map()
  for (const file of files) {
    if (isWhole(file) || own.test(read(file))) alone.push(file)
    else shared.set(wing(file), [...(shared.get(wing(file)) ?? []), file])
  }
  return [
    ...alone.sort((a, b) => Number(isWhole(b)) - Number(isWhole(a))).map(file => [file]),
    ...[...shared.values()].flatMap(group =>
      Array.from({ length: Math.ceil(group.length / most) }, (_, i) => group.slice(i * most, (i + 1) * most))
    )
  ]
}
