import { status } from '@grpc/grpc-js'

/** Go's gRPC name of a status code: "Unavailable", "DeadlineExceeded". */
export const goStatusName = (code: number): string =>
  (status[code] ?? 'UNKNOWN')
    .split('_')
    .map(word => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')
