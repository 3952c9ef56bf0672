import { addresses } from '#kit/addresses.ts'

/** Routes of `contactImports`. */
export const contactImports = addresses('contactImports', {
  upload: {
    method: 'POST',
    path: '/contacts/upload',
    can: 'contacts:import',
    upload: { maxFiles: 1, maxBytes: 50 * 1024 * 1024 },
    touches: ['contactImports'],
  },
  list: { method: 'GET', path: '/contacts/imports', can: 'contacts:import' },
  get: { method: 'GET', path: '/contacts/imports/:id', can: 'contacts:import' },
  check: { method: 'POST', path: '/contacts/imports/:id/check', can: 'contacts:import', touches: ['contactImports'] },
  run: { method: 'POST', path: '/contacts/imports/:id/run', can: 'contacts:import', touches: ['contactImports'] },
  cancel: { method: 'POST', path: '/contacts/imports/:id/cancel', can: 'contacts:import', touches: ['contactImports'] },
  rejected: { method: 'GET', path: '/contacts/imports/:id/rejected', can: 'contacts:import' },
  changes: { method: 'GET', path: '/contacts/imports/:id/changes', can: 'contacts:import' },
  undo: { method: 'POST', path: '/contacts/imports/:id/undo', can: 'contacts:import', touches: ['contactImports'] },
  syncContacts: { method: 'POST', path: '/contacts/sync', can: 'contacts:import', touches: ['contactImports'] },
  syncGroups: { method: 'POST', path: '/groups/sync', can: 'contacts:import', touches: ['contactImports'] },
  export: { method: 'POST', path: '/contacts/export', can: 'contacts:export', touches: [] },
})
