/** What stands at some bubbles alone, in one file that comes with the first of them. */
export { ChooseMessage } from '../acts/ChooseMessage.tsx'
export { Album } from '../media/Album.tsx'
export { DataCard } from '../media/DataCard.tsx'
export { LinkCard } from '../media/LinkCard.tsx'
export { Mail } from './Mail.tsx'
export { Reactions } from './Reactions.tsx'
export { Refused, Way } from './ways-on.tsx'
