/** Finds the objects of its own namespace to which a Pod refers. */
import type { Container, EphemeralContainer, Pod, Volume } from './generated/core-v1.js'

export interface PodReferences {
  readonly serviceAccounts: readonly string[]
  readonly secrets: readonly string[]
  readonly configMaps: readonly string[]
  readonly claims: readonly string[]
  readonly resourceClaims: readonly string[]
}

export function podReferences(pod: Pod): PodReferences {
  const { spec } = pod
  const volumes = spec.volumes ?? []
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
  return {
    serviceAccounts: named([spec.serviceAccountName]),
    secrets: named([
      ...(spec.imagePullSecrets ?? []).map(secret => secret.name),
      ...containers.flatMap(secretsOfContainer),
      ...volumes.flatMap(secretsOfVolume)
    ]),
    configMaps: named([...containers.flatMap(configMapsOfContainer), ...volumes.flatMap(configMapsOfVolume)]),
    claims: named(volumes.map(volume => claimOf(pod, volume))),
    resourceClaims: named(resourceClaimsOf(pod))
  }
}

/** Returns the name of a volume's claim: the one that it names, or the one that is created for an ephemeral volume. */
export const claimOf = ({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined =>
  persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined)

const named = (names: readonly (string | undefined)[]): readonly string[] => names.filter((name): name is string => !!name)

type AnyContainer = Container | EphemeralContainer

const secretsOfContainer = ({ env, envFrom }: AnyContainer) => [
  ...(envFrom ?? []).map(source => source.secretRef?.name),
  ...(env ?? []).map(variable => variable.valueFrom?.secretKeyRef?.name)
]

const configMapsOfContainer = ({ env, envFrom }: AnyContainer) => [
  ...(envFrom ?? []).map(source => source.configMapRef?.name),
  ...(env ?? []).map(variable => variable.valueFrom?.configMapKeyRef?.name)
]

const secretsOfVolume = (volume: Volume) => [
  volume.azureFile?.secretName,
  volume.cephfs?.secretRef?.name,
  volume.cinder?.secretRef?.name,
  volume.flexVolume?.secretRef?.name,
  ...(volume.projected?.sources ?? []).map(source => source.secret?.name),
  volume.rbd?.secretRef?.name,
  volume.secret?.secretName,
  volume.scaleIO?.secretRef?.name,
  volume.iscsi?.secretRef?.name,
  volume.storageos?.secretRef?.name,
  volume.csi?.nodePublishSecretRef?.name
]

const configMapsOfVolume = (volume: Volume) => [
  ...(volume.projected?.sources ?? []).map(source => source.configMap?.name),
  volume.configMap?.name
]

/** Returns the names of the claims; the status has those of claims that were created from a template. */
function resourceClaimsOf({ spec, status }: Pod): (string | undefined)[] {
  const made = new Map(status?.resourceClaimStatuses?.map(claim => [claim.name, claim.resourceClaimName]))
  return [
    ...(spec.resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName ?? made.get(name)),
    status?.extendedResourceClaimStatus?.resourceClaimName
  ]
}
