import { addresses } from '#kit/addresses.ts'

/** API routes of `companyChannels`: the channels of all companies of the installation. */
export const companyChannels = addresses('companyChannels', {
  list: { method: 'GET', path: '/whatsappTenantsAll', can: 'platform:read' },
})
