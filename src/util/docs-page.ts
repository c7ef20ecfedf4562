const docs = 'https://github.com/binnacle-dev/binnacle/blob/main/docs'

/** The address of a page of docs/, for messages and help: whoever reads these need not have the repository, nor the package's folder. */
export const docsPage = (name: string): string => `${docs}/${name}.md`
