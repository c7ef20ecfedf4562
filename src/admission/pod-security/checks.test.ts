import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PodLike } from './check.js'
import { violations } from './evaluate.js'
import type { Standard } from './policy.js'

/** Meets the restricted level. */
const safeContainer = {
  name: 'a',
  image: 'i',
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' }
  }
}
type Context = Readonly<Record<string, unknown>>
const container = (more: Context, name = 'a') => ({ ...safeContainer, ...more, name })
/** A container with a security context that differs from the safe one in these fields. */
const secured = (context: Context, name = 'a') =>
  container({ securityContext: { ...safeContainer.securityContext, ...context } }, name)
const pod = (spec: Context, annotations?: Readonly<Record<string, string>>): PodLike =>
  ({ metadata: { annotations }, spec: { containers: [safeContainer], ...spec } }) as never
const of = (...containers: object[]) => pod({ containers })
const textOf = (level: Standard['level'], minor: Standard['minor'], subject: PodLike) =>
  violations({ level, minor }, subject)
    .map(({ reason, detail }) => `${reason} (${detail})`)
    .join('; ')

const appArmor = 'container.apparmor.security.beta.kubernetes.io/'
const seccompOf = 'container.seccomp.security.alpha.kubernetes.io/'
const seLinux = (options: object) => secured({ seLinuxOptions: options })
const forbiddenSeLinux = 'set forbidden securityContext.seLinuxOptions:'
const types = (...names: string[]) =>
  names.length === 1 ? `type "${names[0]}"` : `types ${names.map(name => `"${name}"`).join(', ')}`
const latest = 'latest' as const

type Row = readonly [what: string, pod: PodLike, minor: Standard['minor'], violations: string]
const baseline: readonly Row[] = [
  ['nothing odd', pod({}), latest, ''],
  ['an AppArmor profile', pod({ securityContext: { appArmorProfile: { type: 'Localhost' } } }), latest, ''],
  ['the AppArmor profile of the runtime', of(secured({ appArmorProfile: { type: 'RuntimeDefault' } })), latest, ''],
  [
    'no AppArmor profile for the Pod and a container',
    pod({
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      containers: [secured({ appArmorProfile: { type: 'Unconfined' } })]
    }),
    latest,
    'forbidden AppArmor profile (pod and container "a" must not set AppArmor profile type to "Unconfined")'
  ],
  [
    'no AppArmor profile by annotations',
    pod({}, { [`${appArmor}a`]: 'unconfined', [`${appArmor}b`]: 'x', other: 'unconfined' }),
    latest,
    `forbidden AppArmor profiles (annotations must not set AppArmor profile type to "${appArmor}a="unconfined"", "${appArmor}b="x"")`
  ],
  [
    'an AppArmor annotation and a field',
    pod({ containers: [secured({ appArmorProfile: { type: 'Unconfined' } })] }, { [`${appArmor}a`]: 'y' }),
    latest,
    `forbidden AppArmor profiles (container "a" and annotation must not set AppArmor profile type to "Unconfined", "${appArmor}a="y"")`
  ],
  [
    'allowed AppArmor annotations',
    pod({}, { [`${appArmor}a`]: '', [`${appArmor}b`]: 'runtime/default', [`${appArmor}c`]: 'localhost/x' }),
    latest,
    ''
  ],
  ['usual capabilities', of(secured({ capabilities: { add: ['CHOWN', 'KILL', 'NET_BIND_SERVICE'] } })), latest, ''],
  [
    'unusual capabilities',
    of(
      secured({ capabilities: { add: ['SYS_ADMIN', 'CHOWN'] } }),
      secured({ capabilities: { add: ['NET_RAW', 'SYS_ADMIN'] } }, 'b')
    ),
    latest,
    'non-default capabilities (containers "a", "b" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)'
  ],
  [
    'unusual capabilities in an init and an ephemeral container',
    pod({
      initContainers: [secured({ capabilities: { add: ['BPF'] } }, 'i')],
      ephemeralContainers: [secured({ capabilities: { add: ['BPF'] } }, 'e')]
    }),
    latest,
    'non-default capabilities (containers "i", "e" must not include "BPF" in securityContext.capabilities.add)'
  ],
  [
    'the namespaces of the host',
    pod({ hostNetwork: true, hostPID: true, hostIPC: true }),
    latest,
    'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)'
  ],
  ['one namespace of the host', pod({ hostNetwork: false, hostPID: true }), latest, 'host namespaces (hostPID=true)'],
  [
    'paths of the host',
    pod({
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', emptyDir: {} }
      ]
    }),
    latest,
    'hostPath volumes (volume "v")'
  ],
  [
    'ports of the host',
    of(
      container({ ports: [{ hostPort: 80 }, { hostPort: 0 }, { containerPort: 5 }] }),
      container({ ports: [{ hostPort: 81 }] }, 'b')
    ),
    latest,
    'hostPort (containers "a", "b" use hostPorts 80, 81)'
  ],
  ['a port of the host', of(container({ ports: [{ hostPort: 80 }] })), latest, 'hostPort (container "a" uses hostPort 80)'],
  ['no port of the host', of(container({ ports: [{ hostPort: 0 }, { containerPort: 80 }] })), latest, ''],
  [
    'a probe of another host',
    of(
      container({ livenessProbe: { httpGet: { host: 'x' } }, lifecycle: { preStop: { tcpSocket: { host: 'y' } } } }),
      container({ readinessProbe: { tcpSocket: { host: '' } }, startupProbe: { exec: {} } }, 'b')
    ),
    latest,
    'probe or lifecycle host (container "a" uses probe or lifecycle hosts "x", "y")'
  ],
  ['a probe of another host, formerly', of(container({ livenessProbe: { httpGet: { host: 'x' } } })), 33, ''],
  [
    'a probe of another host since 1.34',
    of(container({ lifecycle: { postStart: { httpGet: { host: 'x' } } } })),
    34,
    'probe or lifecycle host (container "a" uses probe or lifecycle host "x")'
  ],
  [
    'privileges',
    of(secured({ privileged: true })),
    latest,
    'privileged (container "a" must not set securityContext.privileged=true)'
  ],
  ['no privileges', of(secured({ privileged: false })), latest, ''],
  ['the usual /proc', of(secured({ procMount: 'Default' }), secured({ procMount: null }, 'b')), latest, ''],
  [
    'all of /proc',
    of(secured({ procMount: 'Unmasked' })),
    latest,
    'procMount (container "a" must not set securityContext.procMount to "Unmasked")'
  ],
  [
    'all of /proc in a user namespace, formerly',
    pod({ hostUsers: false, containers: [secured({ procMount: 'Unmasked' })] }),
    34,
    'procMount (container "a" must not set securityContext.procMount to "Unmasked")'
  ],
  ['all of /proc in a user namespace', pod({ hostUsers: false, containers: [secured({ procMount: 'Unmasked' })] }), 35, ''],
  [
    'usual types of SELinux',
    of(seLinux({ type: 'container_t' }), seLinux({ type: '' }), seLinux({ type: 'container_kvm_t' })),
    latest,
    ''
  ],
  ['a newer type of SELinux', of(seLinux({ type: 'container_engine_t' })), 31, ''],
  [
    'a newer type of SELinux, formerly',
    of(seLinux({ type: 'container_engine_t' })),
    30,
    `seLinuxOptions (container "a" ${forbiddenSeLinux} ${types('container_engine_t')})`
  ],
  [
    'types, a user and a role of SELinux',
    pod({
      securityContext: { seLinuxOptions: { type: 'y', user: 'u' } },
      containers: [secured({ seLinuxOptions: { type: 'x', role: 'r' } })]
    }),
    latest,
    `seLinuxOptions (pod and container "a" ${forbiddenSeLinux} ${types('x', 'y')}; user may not be set; role may not be set)`
  ],
  [
    'a user of SELinux',
    of(seLinux({ user: 'u' })),
    latest,
    `seLinuxOptions (container "a" ${forbiddenSeLinux} user may not be set)`
  ],
  [
    'a role of SELinux',
    of(seLinux({ role: 'r', level: 'l' })),
    latest,
    `seLinuxOptions (container "a" ${forbiddenSeLinux} role may not be set)`
  ],
  ['a level of SELinux', of(seLinux({ level: 's0' })), latest, ''],
  [
    'annotations of seccomp, formerly',
    pod(
      {},
      {
        'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
        [`${seccompOf}a`]: 'x',
        [`${seccompOf}other`]: 'unconfined'
      }
    ),
    18,
    `seccompProfile (forbidden annotations ${seccompOf}a="x", seccomp.security.alpha.kubernetes.io/pod="unconfined")`
  ],
  [
    'allowed annotations of seccomp, formerly',
    pod(
      { containers: [safeContainer, container({}, 'b')] },
      {
        'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
        [`${seccompOf}a`]: 'docker/default',
        [`${seccompOf}b`]: 'localhost/x'
      }
    ),
    18,
    ''
  ],
  ['annotations of seccomp', pod({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }), 19, ''],
  [
    'no seccomp profile',
    pod({
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      containers: [secured({ seccompProfile: { type: 'Unconfined' } }), secured({ seccompProfile: { type: 'Localhost' } }, 'b')]
    }),
    19,
    'seccompProfile (pod and container "a" must not set securityContext.seccompProfile.type to "Unconfined")'
  ],
  [
    'sysctls',
    pod({ securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'kernel.shm_rmid_forced' }, { name: 'x' }] } }),
    latest,
    'forbidden sysctls (kernel.msgmax, x)'
  ],
  [
    'newer sysctls, formerly',
    pod({
      securityContext: { sysctls: ['net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_fin_timeout'].map(name => ({ name })) }
    }),
    26,
    'forbidden sysctls (net.ipv4.ip_local_reserved_ports, net.ipv4.tcp_fin_timeout)'
  ],
  [
    'newer sysctls in between',
    pod({
      securityContext: { sysctls: ['net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_fin_timeout'].map(name => ({ name })) }
    }),
    27,
    'forbidden sysctls (net.ipv4.tcp_fin_timeout)'
  ],
  ['newer sysctls', pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_fin_timeout' }] } }), 29, ''],
  [
    'the newest sysctls',
    pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }, { name: 'net.ipv4.tcp_wmem' }] } }),
    32,
    ''
  ],
  ['the sysctls of 1.37', pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_notsent_lowat' }] } }), 37, ''],
  [
    'the sysctls of 1.37, formerly',
    pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_slow_start_after_idle' }] } }),
    36,
    'forbidden sysctls (net.ipv4.tcp_slow_start_after_idle)'
  ],
  [
    'the newest sysctls, formerly',
    pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } }),
    31,
    'forbidden sysctls (net.ipv4.tcp_rmem)'
  ],
  [
    'a process of the Windows host',
    pod({
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [secured({ windowsOptions: { hostProcess: true } }), secured({ windowsOptions: { hostProcess: false } }, 'b')]
    }),
    latest,
    'hostProcess (pod and container "a" must not set securityContext.windowsOptions.hostProcess=true)'
  ]
]

const { allowPrivilegeEscalation: _, ...escalating } = safeContainer.securityContext
const { runAsNonRoot: __, ...anyUser } = safeContainer.securityContext
const { seccompProfile: ___, ...noProfile } = safeContainer.securityContext
const mustDrop = 'must set securityContext.capabilities.drop=["ALL"]'
const windows = { os: { name: 'windows' } }
const restricted: readonly Row[] = [
  ['all that it asks for', pod({}), latest, ''],
  [
    'an escalation that is not excluded',
    of(container({ securityContext: escalating }), secured({ allowPrivilegeEscalation: true }, 'b')),
    latest,
    'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false)'
  ],
  ['the same before 1.8', of(secured({ allowPrivilegeEscalation: true })), 7, ''],
  ['the same on Windows', pod({ ...windows, containers: [secured({ allowPrivilegeEscalation: true })] }), 25, ''],
  [
    'the same on Windows before 1.25',
    pod({ ...windows, containers: [secured({ allowPrivilegeEscalation: true })] }),
    24,
    'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)'
  ],
  ['the capability to bind ports', of(secured({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })), latest, ''],
  [
    'kept capabilities',
    of(secured({ capabilities: { drop: ['CHOWN'] } })),
    latest,
    `unrestricted capabilities (container "a" ${mustDrop})`
  ],
  [
    'added capabilities',
    of(secured({ capabilities: { drop: ['ALL'], add: ['CHOWN'] } })),
    latest,
    'unrestricted capabilities (container "a" must not include "CHOWN" in securityContext.capabilities.add)'
  ],
  [
    'kept and added capabilities',
    of(secured({ capabilities: { add: ['CHOWN', 'SYS_TIME'] } }), secured({ capabilities: undefined }, 'b')),
    latest,
    `unrestricted capabilities (containers "a", "b" ${mustDrop}; container "a" must not include "CHOWN", "SYS_TIME" in securityContext.capabilities.add)`
  ],
  [
    'all of /proc, also in a user namespace',
    pod({ hostUsers: false, containers: [secured({ procMount: 'Unmasked' })] }),
    35,
    'procMount (container "a" must not set securityContext.procMount to "Unmasked")'
  ],
  [
    'other volumes',
    pod({ volumes: [{ name: 'v', hostPath: {} }, { name: 'w', nfs: {} }, { name: 'x', emptyDir: {} }, { name: 'y' }] }),
    latest,
    'restricted volume types (volumes "v", "w", "y" use restricted volume types "hostPath", "nfs", "unknown")'
  ],
  [
    'another volume',
    pod({ volumes: [{ name: 'w', nfs: {} }] }),
    latest,
    'restricted volume types (volume "w" uses restricted volume type "nfs")'
  ],
  [
    'allowed volumes',
    pod({
      volumes: [
        ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image'],
        ...['persistentVolumeClaim', 'projected', 'secret']
      ].map(type => ({ name: type, [type]: {} }))
    }),
    latest,
    ''
  ],
  [
    'a user that is not root for all',
    pod({ securityContext: { runAsNonRoot: true }, containers: [container({ securityContext: anyUser })] }),
    latest,
    ''
  ],
  [
    'any user',
    of(container({ securityContext: anyUser })),
    latest,
    'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)'
  ],
  [
    'root',
    pod({ securityContext: { runAsNonRoot: false }, containers: [secured({ runAsNonRoot: false }), container({}, 'b')] }),
    latest,
    'runAsNonRoot != true (pod and container "a" must not set securityContext.runAsNonRoot=false)'
  ],
  [
    'root for a container only',
    pod({ securityContext: { runAsNonRoot: true }, containers: [secured({ runAsNonRoot: false })] }),
    latest,
    'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)'
  ],
  [
    'the user 0',
    pod({ securityContext: { runAsUser: 0 }, containers: [secured({ runAsUser: 0 }), secured({ runAsUser: 1 }, 'b')] }),
    latest,
    'runAsUser=0 (pod and container "a" must not set runAsUser=0)'
  ],
  ['the user 0 before 1.23', of(secured({ runAsUser: 0 })), 22, ''],
  [
    'the user 0 in a user namespace',
    pod({ hostUsers: false, containers: [secured({ runAsUser: 0, runAsNonRoot: false })] }),
    35,
    ''
  ],
  [
    'the user 0 with the users of the host',
    pod({ hostUsers: true, containers: [secured({ runAsUser: 0 })] }),
    35,
    'runAsUser=0 (container "a" must not set runAsUser=0)'
  ],
  [
    'a seccomp profile for all',
    pod({ securityContext: { seccompProfile: { type: 'Localhost' } }, containers: [container({ securityContext: noProfile })] }),
    latest,
    ''
  ],
  [
    'no seccomp profile',
    of(container({ securityContext: noProfile }), container({}, 'b')),
    latest,
    'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'
  ],
  [
    'a wrong seccomp profile',
    of(secured({ seccompProfile: { type: 'Unconfined' } }), container({ securityContext: noProfile }, 'b')),
    latest,
    'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")'
  ],
  ['no seccomp profile on Windows', pod({ ...windows, containers: [container({ securityContext: noProfile })] }), latest, '']
]

for (const [level, rows] of [
  ['baseline', baseline],
  ['restricted', restricted]
] as const)
  describe(`the ${level} level`, () => {
    for (const [what, subject, minor, expected] of rows)
      it(`${expected === '' ? 'allows' : 'forbids'} ${what}, in ${minor === latest ? minor : `1.${minor}`}`, () => {
        assert.equal(textOf(level, minor, subject), expected)
        assert.equal(textOf('privileged', minor, subject), '')
      })
  })
