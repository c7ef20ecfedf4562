/** A text of several lines, which scrolls by itself when it is long. */
export const Code = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <pre class="code" tabIndex={0}>
    {text}
  </pre>
)
