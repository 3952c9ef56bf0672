/// <reference types="vite/client" />
import 'react'

declare module 'react' {
  /** The custom properties that components set and style sheets read. */
  interface CSSProperties {
    '--h'?: string
    '--heat'?: string
    '--part'?: number
    '--scale'?: number
    '--share'?: number | string
    '--size'?: string
    '--width'?: string
  }
}
