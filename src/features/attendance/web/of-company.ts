export { closeAll, readAll } from './bulk/company.ts'
export { type Asked, MassDialog } from './bulk/MassDialog.tsx'
