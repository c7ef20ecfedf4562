/** Values that kube-apiserver 1.36.2 has stored in etcd (scripts/compare/encryption.mjs --vectors): Secrets in Protobuf. */
export const vectors: readonly { readonly provider: string; readonly key: string; readonly value: string }[] = [
  {
    provider: 'aescbc',
    key: '/crossing-aescbc/secrets/default/kube-apiserver-after',
    value:
      'azhzOmVuYzphZXNjYmM6djE6a2V5MjrjTzS+yqccPWPac2bStQld/PVlhQAnohVG35kSH++4aDRrILMreID2n0ibyEkrHGTv8Y1E' +
      'lGiKYsTH4q3qqIGgANU3fuOJFSZWhpXRQUqahGej0WbR6MEJoDfTe5V0qjBCKCAFZv63HzNz/FVh6JJ7xiYv1yF5JBMBnCe09+xR' +
      'JOmHbSFmEu2+aIXkwisY0x3lDZk7KGk6bmHaFyD+2TDcc8R2gu0FrNXFeUdXltM4V0aM1vXB7tHMi0D/FMD1DXt9EDP5VC1QZ8TI' +
      'jPMbik57z3cvT19M+Q113YP0y+Vzu53j7yY3g+K5qUBLJe0HXjT5nOLUDE3nkf5SNc7xYV9InG8xUgStpN7Fr/tvXk0NrVbjvkt1' +
      '6gBhJky2vtzWwus='
  },
  {
    provider: 'aesgcm',
    key: '/crossing-aesgcm/secrets/default/kube-apiserver-after',
    value:
      'azhzOmVuYzphZXNnY206djE6a2V5Mjo0q8QSOhH2E79vpkUT7ZvSHVOnyH6fI+OuTdmEJMNGFFYwF9cHsEC4U/EXWASXlLVD26JM' +
      'jhYc4vOtY+VofH0h/Y0NLWYtyCah3AKXmaiUaiHIVIbLdta3uUztD4z8fNBhvUPtQpShQJ7kQHGcsBuZ5CK0HeeoXivTr8kSWS2k' +
      '8r2Ej6yNR7r1h6eUCGncSkIS3EDt20ODhSztI4Tex7VuDdo8jG3FbxABAveHfTpFmQQpb3tcAwkQ3jhcZjQiFLHL0+gKCrRCrsHJ' +
      'CBDeTyxFDtmp+Demo852me7vmGhmuGUBcit4FmZSymVDFneoEbwS2A8Tv4pn8dwEOslVd6K2XZGTzt/Tf6mRu+d+YVGoCyBaqdGq' +
      'G4nrsGpKVcf8KyY='
  },
  {
    provider: 'secretbox',
    key: '/crossing-secretbox/secrets/default/kube-apiserver-after',
    value:
      'azhzOmVuYzpzZWNyZXRib3g6djE6a2V5MjqtJEXCAD6jvG3Q90LPQ3y7uuplNN+aWbrfWF+aBLmNSrLWzVcIgfGzSDVRjcRm+SYz' +
      'zA0CGlCsToIWZEuNbSOcZJAy3zYPUtXJkScKhv1LTFpnqu5tNMP0tRfRHgT+qSzsJ2MbGSzANNPds4NX2EH2yq9sOG8atlGgjj0D' +
      'D0uSA9BRIFFGdKqcib7Xijl6LrQfIOr2zcsGbXCNK+qm+XXg6TIObqD+NXsl8sUjL8+E8iYdZ0P7Ab37KZr6UquVUDVLNkHdpauJ' +
      'ZAXw6yocq9I73Lrvy2a8omDGr51ICzMw4Vq9gC0TsP+nI1L9pucQaCGvT4LTCjleL7hfE7ZH5Q14H5z69NdPvC8ECfhKmQrss7U8' +
      'JgGPgucLGPjGzqK3XwTZlqFHMEQO4FYRJPw='
  },
  {
    provider: 'kms',
    key: '/crossing-kms/secrets/default/kube-apiserver-after',
    value:
      'azhzOmVuYzprbXM6djI6dmF1bHQ6CsACgP+LIKt4HXZkrdL0L/8mW3+9PnAb7VuWsIQCit55Rg9YxBwhjg2XXCaGPw9yjZhjpkQh' +
      'QoJO0UvWNx8hnzX6NqfAo+PPq/eKwxD4ExYDWgYKo/TrKJbR1QKl5LMauPVsGyaN0C/W79ZpYP12hiRYO9bqFtca2/jJIr2g4q0D' +
      'CzUy8iCaqcCTKmpa9wkh2I0EWNI0LTwEk/SYPLKM4dsQ/mhrwMXsMKs0uYVwcwJQqhWPQpZ4cbX5RgrEBUrSg3axcqgVR3FCq7Xb' +
      'c84903FNgY4J4ZIrOT0F5vxqCDlq9dMWUKlpxqP3leYJ7S4wIqLUdPOrLAgAV7EpzX7gaTAF/T5CgEVwjRNwV09gzRjgk7QYOucH' +
      'g8VQF+/CClX1OiGes1hEN7l9pyDR1ehyX5Dw9eQwSToCliVaQJlX78kOhVUSDGtleS0xMjdmZDI1MBo8qPUigAzrNRKRYpGeWapO' +
      'wPk57a9yImjxJyZ6dNRpfKtXrgJbEBoBLcHwcEdM1KNzxZQHcRKEuYDVQyDtIicKHHRlc3RzLmVuY3J5cHRpb24uZXhhbXBsZS5j' +
      'b20SB2EgdmFsdWUoAQ=='
  }
]
