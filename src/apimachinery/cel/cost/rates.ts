/** What single steps of an expression cost. */

/** Cost of reading one character of a string. */
export const perCharacter = 0.1
/** Cost per character of a regular expression and per character of the string. */
export const perRegexCharacter = 0.25
export const listCost = 10
export const mapCost = 30
export const messageCost = 40
