export { MoveChannel } from './bulk/MoveChannel.tsx'
export { show } from './bulk/run.tsx'
export { ImportDialog } from './history/ImportDialog.tsx'
export { clearMemory } from './ticket-acts/memory.ts'
