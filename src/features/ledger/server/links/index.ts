export { renewLinkCards } from './cards.ts'
export { removeCards } from './queries.ts'
