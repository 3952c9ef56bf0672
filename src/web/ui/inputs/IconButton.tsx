import type { ComponentProps, CSSProperties } from 'react'

/**
 * A button that is an icon, `size` px wide and high (32 unless said), named by its `aria-label`; `aria-pressed` or
 * `data-active` fill it. One element, where Mantine's ActionIcon is five components: a click draws a dozen of them at once.
 */
export function IconButton({ size, ...rest }: { 'aria-label': string; size?: number } & ComponentProps<'button'>) {
  const style = size === undefined ? undefined : ({ '--size': `${size}px` } as CSSProperties)
  return <button type="button" className="g-icon-button" style={style} {...rest} />
}
