export { DevicesSection } from './DevicesSection.tsx'
export { SocketLogSection } from './SocketLogSection.tsx'
