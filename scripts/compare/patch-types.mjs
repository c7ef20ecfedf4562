/** The media types of patches. */
export const merge = 'application/merge-patch+json'
export const strategic = 'application/strategic-merge-patch+json'
export const json = 'application/json-patch+json'
export const apply = 'application/apply-patch+yaml'
