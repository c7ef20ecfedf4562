/** Serves /version. */

import type { EffectiveVersion } from '../apimachinery/features/effective-version.js'
import { encodeObject } from '../apimachinery/formats/body.js'
import type { PathHandler } from '../apiserver/endpoints/dispatch.js'
import { respondBytes } from '../apiserver/endpoints/respond.js'
import { checkGetRoute } from '../apiserver/endpoints/route.js'
import { kubernetesMinor, kubernetesVersion } from '../util/kubernetes-version.js'

export const versionInfo = ({ emulated, minCompatibility }: EffectiveVersion) => ({
  major: '1',
  minor: String(kubernetesMinor),
  emulationMajor: '1',
  emulationMinor: String(emulated),
  minCompatibilityMajor: '1',
  minCompatibilityMinor: String(minCompatibility),
  gitVersion: kubernetesVersion,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node ${process.version}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`
})

export const versionPath = (version: EffectiveVersion): PathHandler => ({
  path: '/version',
  handle(context) {
    checkGetRoute(context, { produces: ['application/json'], consumes: ['application/json'] })
    return respondBytes(200, 'application/json', encodeObject(versionInfo(version), 'application/json', true))
  }
})
