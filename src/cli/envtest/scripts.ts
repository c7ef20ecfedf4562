/** The programs that envtest starts, as scripts for a POSIX shell and for Windows. */
import { shellQuoted } from '../shell-quoted.js'

/** What the scripts name: absolute paths of this installation. */
export interface Installation {
  readonly node: string
  readonly main: string
}

/** Options that V8 needs before it starts, as in the first line of main.ts. */
const nodeOptions = ['--v8-pool-size=1', '--max-semi-space-size=8']

/** The file with the help of `kube-apiserver`, which envtest asks for before each start to see which flags there are. */
export const helpFile = 'kube-apiserver.help'

/**
 * The text of the script `name` (kube-apiserver, etcd). A POSIX shell is replaced by Node, so that signals reach the server; it hands
 * over the process id of the test, because the test may have ended before Node can look for it.
 */
export function programScript(name: string, installation: Installation, flags: readonly string[], platform: NodeJS.Platform) {
  return platform === 'win32' ? programForWindows(name, installation, flags) : programForShell(name, installation, flags)
}

function programForShell(name: string, { node, main }: Installation, flags: readonly string[]): string {
  const options = [...nodeOptions, '"$main"', 'envtest-program', name, '"$PPID"', ...flags.map(shellQuoted), '"$@"'].join(' ')
  return `#!/bin/sh
# Written by "binnacle envtest".
node=${shellQuoted(node)}
main=${shellQuoted(main)}
if [ "$*" = --help ] && [ -f "\${0%/*}/${helpFile}" ]; then exec cat "\${0%/*}/${helpFile}"; fi
for file in "$node" "$main"; do
  if [ ! -f "$file" ]; then
    gone="${name}: $file is not there any more; run 'binnacle envtest' again"
    echo "$gone" >&2
    { echo "$gone" > "/proc/$PPID/fd/2" || echo "$gone" > /dev/tty; } 2> /dev/null
    exit 1
  fi
done
exec "$node" ${options}
`
}

function programForWindows(name: string, { node, main }: Installation, flags: readonly string[]): string {
  const command = [node, ...nodeOptions, main, 'envtest-program', name, '0', ...flags].map(quotedForCmd).join(' ')
  const gone = (file: string) => `if not exist ${quotedForCmd(file)} (
  echo ${name}: ${quotedForCmd(file)} is not there any more; run "binnacle envtest" again 1>&2
  exit /b 1
)`
  return `@echo off
rem Written by "binnacle envtest".
${inUtf8(command)}if "%~1"=="--help" if exist "%~dp0${helpFile}" (
  type "%~dp0${helpFile}"
  exit /b 0
)
${gone(node)}
${gone(main)}
${command} %*
`.replaceAll('\n', '\r\n')
}

/** Returns the text of `kubectl` where the machine has none, or where a link to it would need a privilege (Windows). */
export function kubectlScript(kubectl: string | undefined, platform: NodeJS.Platform): string {
  const none = 'binnacle envtest found no kubectl in PATH: install kubectl, then run "binnacle envtest" again'
  if (platform === 'win32') {
    const does = kubectl === undefined ? `echo ${none} 1>&2\nexit /b 1` : `${quotedForCmd(kubectl)} %*`
    return `@echo off\n${inUtf8(does)}${does}\n`.replaceAll('\n', '\r\n')
  }
  return kubectl === undefined
    ? `#!/bin/sh\necho ${shellQuoted(none)} >&2\nexit 1\n`
    : `#!/bin/sh\nexec ${shellQuoted(kubectl)} "$@"\n`
}

/** Makes cmd.exe read the script as UTF-8: otherwise it uses the console's code page. */
const inUtf8 = (text: string): string => (/[^\x20-\x7e\n]/.test(text) ? 'chcp 65001 > nul\n' : '')

const quotedForCmd = (text: string): string => `"${text.replaceAll('%', '%%')}"`
