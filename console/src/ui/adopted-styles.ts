/**
 * Lets a library insert style elements, which the Content-Security-Policy refuses: what it writes into those that it makes while `work` runs becomes style
 * sheets that the page adopts.
 */
export function adoptingStyles(work: () => void): void {
  const create = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) =>
    name === 'style' ? adoptedStyle(create) : create(name, options)
  try {
    work()
  } finally {
    // what lies behind it, the method of all documents, is there again
    Reflect.deleteProperty(document, 'createElement')
  }
}

/** An element that is not seen, and whose text is a style sheet. */
function adoptedStyle(create: (name: string) => HTMLElement): HTMLElement {
  const element = create('span')
  const sheet = new CSSStyleSheet()
  element.hidden = true
  Object.defineProperty(element, 'textContent', { get: () => '', set: (text: string) => void sheet.replaceSync(text) })
  Object.defineProperty(element, 'sheet', { value: sheet })
  document.adoptedStyleSheets.push(sheet)
  const remove = element.remove.bind(element)
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet)
    remove()
  }
  return element
}
