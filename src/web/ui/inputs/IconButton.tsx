import type { ComponentProps } from 'react'

type Props = { 'aria-label': string; size?: number } & ComponentProps<'button'>

/**
 * Button with an icon only, `size` px wide and high (32 by default), named by its `aria-label`; `aria-pressed` or
 * `data-active` tint it, `data-filled` makes it the main one. One element, where Mantine's ActionIcon is five components: a
 * click draws a dozen of them at once.
 */
export function IconButton({ size, className = '', ...rest }: Props) {
  const style = size === undefined ? undefined : { '--size': `${size}px` }
  return <button type="button" className={`g-icon-button ${className}`} style={style} {...rest} />
}
