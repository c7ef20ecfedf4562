/** The order of ports in endpoints: that of the hashes of what Go's printer makes of them, as kube-controller-manager writes them. */

export interface Port {
  readonly name?: string | undefined
  readonly port?: number | undefined
  readonly protocol?: string | undefined
  readonly appProtocol?: string | undefined
}

const offset = 0x6c62272e07bb014262b821756295c58dn
const prime = 0x0000000001000000000000000000013bn
const mask = (1n << 128n) - 1n

/** FNV-1a in 128 bits, as 32 hexadecimal digits. */
export function fnv128a(text: string): string {
  let hash = offset
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * prime) & mask
  return hash.toString(16).padStart(32, '0')
}

const pointer = (type: string, value: string | number | undefined) => `(*${type})${value === undefined ? '<nil>' : value}`

const printedOfEndpoints = ({ name = '', port = 0, protocol = '', appProtocol }: Port) =>
  `(v1.EndpointPort){Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:${pointer('string', appProtocol)}}`

const printedOfSlice = ({ name, port, protocol, appProtocol }: Port) =>
  `(v1.EndpointPort){Name:${pointer('string', name)} Protocol:${pointer('v1.Protocol', protocol)} Port:${pointer('int32', port)} AppProtocol:${pointer('string', appProtocol)}}`

function inOrder<P extends Port>(ports: readonly P[], printed: (port: P) => string): P[] {
  if (ports.length < 2) return [...ports]
  const hashes = new Map(ports.map(port => [port, fnv128a(printed(port))]))
  return [...ports].sort((a, b) => (hashes.get(a)! < hashes.get(b)! ? -1 : 1))
}

/** Ports in the order of Endpoints. */
export const endpointsOrder = <P extends Port>(ports: readonly P[]): P[] => inOrder(ports, printedOfEndpoints)

/** Ports in the order of EndpointSlices. */
export const sliceOrder = <P extends Port>(ports: readonly P[]): P[] => inOrder(ports, printedOfSlice)
