import { createElement, type FunctionComponent, type SVGProps } from 'react'

type IconProps = SVGProps<SVGSVGElement> & { size?: number | string; stroke?: number }

/**
 * An icon from the path that draws it, 24 px and in the colour of its text unless told otherwise. The build makes the
 * icons of `icons.ts` with it (vite.plugins.ts): the package's own form of them weighs a fifth more.
 */
export const outline =
  (d: string): FunctionComponent<IconProps> =>
  ({ size = 24, color = 'currentColor', stroke = 2, className, ...rest }) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        viewBox: '0 0 24 24',
        fill: 'none',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        width: size,
        height: size,
        stroke: color,
        strokeWidth: stroke,
        className: className ? `tabler-icon ${className}` : 'tabler-icon',
        ...rest,
      },
      createElement('path', { d }),
    )
