import { addresses, type EventAddresses, tableAddresses } from '#kit/addresses.ts'

/** Name, path and permissions of the table of tutorials. */
export const tutorialTable = {
  name: 'tutorials',
  path: '/tutorials',
  can: { read: 'tutorials:read', write: 'tutorials:write' },
} as const

/** API routes of `tutorials`. */
export const tutorials = tableAddresses(tutorialTable)

/** Event names of `tutorialEvents`. */
export const tutorialEvents = {
  changed: { channel: 'tutorials', type: 'tutorials:changed', durable: true },
} as const satisfies EventAddresses

/** API routes of `tutorialExtras`. */
export const tutorialExtras = addresses('tutorialExtras', {
  duplicate: { method: 'POST', path: '/tutorials/:id/duplicate', can: 'tutorials:write', touches: ['tutorials'] },
  setThumbnail: {
    method: 'PUT',
    path: '/tutorials/:id/thumbnail',
    can: 'tutorials:write',
    upload: { maxFiles: 1, maxBytes: 4 * 1024 * 1024 },
    touches: ['tutorials'],
  },
  removeThumbnail: {
    method: 'DELETE',
    path: '/tutorials/:id/thumbnail',
    can: 'tutorials:write',
    touches: ['tutorials'],
  },
})
