/** Warnings of two things that conflict, found without a look at each pair, against a look at each pair. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Container, ContainerPort, Volume } from '../../../apimachinery/api/generated/core-v1.js'
import { mostWarnings } from '../../../apimachinery/request/warnings.js'
import { Path } from '../../../apimachinery/validation/field.js'
import { SeededRandomness } from '../../../util/seeded-randomness.js'
import { portWarnings } from '../container/port-warnings.js'
import { overlappingPaths } from '../volume/path-warnings.js'

const random = new SeededRandomness('pairs')
const oneOf = <T>(...values: T[]): T => values[Math.floor(random.fraction() * values.length)]!

function pairs<T>(items: readonly T[], warn: (later: T, earlier: T, i: number, j: number) => string | undefined): string[] {
  return items.flatMap((later, i) => items.slice(0, i).flatMap((earlier, j) => warn(later, earlier, i, j) ?? []))
}

describe('ports that conflict', () => {
  const at = (i: number) => `spec.containers[0].ports[${i}]`
  const warned = (ports: ContainerPort[]) => {
    const out: string[] = []
    portWarnings([[{ name: 'c', ports } as Container, Path.of('spec', 'containers').index(0)]], out)
    return out.filter(text => text.includes('port definition'))
  }

  it('are those of all pairs, in their order', () => {
    for (let round = 0; round < 200; round++) {
      const ports = Array.from({ length: 12 }, () => ({
        containerPort: oneOf(1, 1, 2),
        protocol: oneOf('TCP', 'TCP', 'UDP'),
        hostPort: oneOf(undefined, 0, 5, 6),
        hostIP: oneOf(undefined, '', '1.1.1.1', '2.2.2.2')
      })) as ContainerPort[]
      const how = (a: ContainerPort, b: ContainerPort) => {
        if (a.containerPort !== b.containerPort || a.protocol !== b.protocol) return undefined
        if ((a.hostIP ?? '') === (b.hostIP ?? '') && (a.hostPort ?? 0) === (b.hostPort ?? 0)) return 'duplicate'
        if (!a.hostPort || !b.hostPort) return 'overlapping'
        return a.hostPort === b.hostPort && !a.hostIP !== !b.hostIP ? 'dangerously ambiguous' : undefined
      }
      const expected = pairs(ports, (a, b, i, j) => how(a, b) && `${at(i)}: ${how(a, b)} port definition with ${at(j)}`)
      assert.deepEqual(warned(ports), expected)
    }
  })

  it('are told no more often than an answer can show', () => {
    assert.equal(warned(Array.from({ length: 1000 }, () => ({ containerPort: 1 }))).length, mostWarnings)
  })
})

describe('paths in a volume that overlap', () => {
  const volume = (paths: string[]) => ({ name: 'v', secret: { items: paths.map(path => ({ key: 'k', path })) } }) as Volume
  const warned = (...volumes: string[][]) => {
    const out: string[] = []
    overlappingPaths(volumes.map(volume), out)
    return out
  }

  it('are those of all pairs, in their order', () => {
    for (let round = 0; round < 200; round++) {
      const paths = Array.from({ length: 12 }, () =>
        oneOf('', 'a', 'a/b', 'a/b/c', 'a-b', 'a.b', 'ab', 'b', 'b//c', 'b/', 'é', 'a/é')
      )
      const trimmed = paths.map(path => path.replace(/\/+$/, ''))
      const isIn = (inner: string, outer: string) => `${inner}/`.startsWith(`${outer}/`)
      const expected = pairs(trimmed, (a, b) =>
        a !== '' && b !== '' && (isIn(a, b) || isIn(b, a))
          ? `volume "v" (Secret ""): overlapping paths: "${a}" with "${b}"`
          : undefined
      )
      assert.deepEqual(warned(paths), expected)
    }
  })

  it('are told no more often than an answer can show', () => {
    const many = Array.from({ length: 80 }, () => 'a')
    assert.equal(warned(many, many).length, mostWarnings)
  })
})
