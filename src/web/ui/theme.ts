import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { t } from '../t.ts'

type Tuple = MantineColorsTuple

const tuple = (soft: string, soft2: string, border: string, fill: string, hover: string): Tuple => {
  const [a, b, c, d, e] = [soft, soft2, border, fill, hover].map((name) => `var(--g-${name})`) as [
    string,
    string,
    string,
    string,
    string,
  ]
  return [a, b, c, c, d, d, d, e, e, e]
}

/** Colours of the variants by theme colour: every value is a role of tokens.css, so both colour schemes follow. */
const looks: Record<
  string,
  { fill: string; hover: string; on: string; soft: string; soft2: string; text: string; border: string }
> = {
  brand: {
    fill: 'var(--g-brand)',
    hover: 'var(--g-brand-hover)',
    on: 'var(--g-on-brand)',
    soft: 'var(--g-brand-soft)',
    soft2: 'var(--g-brand-soft-2)',
    text: 'var(--g-brand-text)',
    border: 'var(--g-brand-line)',
  },
  neg: {
    fill: 'var(--g-neg)',
    hover: 'color-mix(in oklab, var(--g-neg), var(--g-ink) 14%)',
    on: 'var(--g-surface)',
    soft: 'var(--g-neg-soft)',
    soft2: 'color-mix(in oklab, var(--g-neg-soft), var(--g-neg) 10%)',
    text: 'var(--g-neg)',
    border: 'color-mix(in oklab, var(--g-neg) 35%, var(--g-surface))',
  },
  ink: {
    fill: 'var(--g-ink)',
    hover: 'var(--g-ink-2)',
    on: 'var(--g-surface)',
    soft: 'var(--g-hover)',
    soft2: 'var(--g-line)',
    text: 'var(--g-ink-2)',
    border: 'var(--g-line-2)',
  },
}

const edge = (colour: string) => `1px solid ${colour}`

const layer = {
  overlayProps: { color: 'var(--g-scrim)', backgroundOpacity: 1, blur: 0 },
  closeButtonProps: { 'aria-label': t('Fechar') },
}

// Enter selects the first option that matches the text; a list without options shows a message.
const picker = { defaultProps: { selectFirstOptionOnChange: true, nothingFoundMessage: t('Nada para escolher') } }

/** The Mantine 9 theme of the product (visual language, section 15); `--g-*` roles only, no raw colour. */
export const theme = createTheme({
  fontFamily: 'var(--g-font)',
  fontFamilyMonospace: 'var(--g-font-mono)',
  headings: { fontFamily: 'var(--g-font-title)', fontWeight: '640' },
  primaryColor: 'brand',
  primaryShade: 6,
  colors: {
    brand: tuple('brand-soft', 'brand-soft-2', 'brand-line', 'brand', 'brand-hover'),
    neg: tuple('neg-soft', 'neg-soft', 'neg', 'neg', 'neg'),
    ink: tuple('hover', 'line', 'line-2', 'ink-2', 'ink'),
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  breakpoints: { xs: '24em', sm: '37.5em', md: '64em', lg: '90em', xl: '120em' },
  shadows: { xs: 'var(--g-sh-1)', sm: 'var(--g-sh-1)', md: 'var(--g-sh-2)', lg: 'var(--g-sh-3)', xl: 'var(--g-sh-3)' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const look = looks[input.color ?? 'brand']
    if (!look) return defaultVariantColorsResolver(input)
    switch (input.variant) {
      case 'filled':
        return { background: look.fill, hover: look.hover, color: look.on, border: edge('transparent') }
      case 'light':
        return { background: look.soft, hover: look.soft2, color: look.text, border: edge(look.border) }
      case 'outline':
        return { background: 'transparent', hover: look.soft, color: look.text, border: edge(look.border) }
      case 'subtle':
        return { background: 'transparent', hover: 'var(--g-hover)', color: look.text, border: edge('transparent') }
      case 'default':
        return {
          background: 'var(--g-surface)',
          hover: 'var(--g-sunken)',
          color: 'var(--g-ink)',
          border: edge('var(--g-line-2)'),
        }
      default:
        return defaultVariantColorsResolver(input)
    }
  },
  components: {
    Button: { defaultProps: { size: 'md' } },
    ActionIcon: { defaultProps: { size: 32, variant: 'subtle', color: 'ink' } },
    InputWrapper: { defaultProps: { size: 'md', inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Input: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    Menu: {
      defaultProps: {
        zIndex: 55,
        shadow: 'xl',
        radius: 'lg',
        offset: 6,
        // The menu itself gets the focus: Mantine's placeholder in it would be an invalid child of a menu.
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 140, transition: 'pop' },
      },
    },
    Popover: { defaultProps: { zIndex: 55, shadow: 'xl', radius: 'lg', transitionProps: { duration: 140 } } },
    Combobox: { defaultProps: { zIndex: 55, shadow: 'xl' } },
    Select: picker,
    MultiSelect: picker,
    Modal: {
      defaultProps: {
        zIndex: 50,
        radius: 'xl',
        padding: 20,
        centered: true,
        shadow: 'xl',
        transitionProps: { duration: 200, transition: 'fade' },
        ...layer,
      },
    },
    Drawer: {
      defaultProps: {
        zIndex: 50,
        radius: 0,
        position: 'right',
        shadow: 'xl',
        transitionProps: { duration: 200 },
        ...layer,
      },
    },
    Tooltip: { defaultProps: { zIndex: 90, openDelay: 400, radius: 'md', transitionProps: { duration: 140 } } },
  },
})

/** Maps Mantine's own variables to the roles, identically for both schemes (the roles change underneath). */
export const variables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--g-canvas)',
    '--mantine-color-text': 'var(--g-ink)',
    '--mantine-color-dimmed': 'var(--g-ink-3)',
    '--mantine-color-placeholder': 'var(--g-ink-3)',
    '--mantine-color-bright': 'var(--g-ink)',
    '--mantine-color-anchor': 'var(--g-brand-text)',
    '--mantine-color-error': 'var(--g-neg)',
    '--mantine-color-success': 'var(--g-pos)',
    '--mantine-color-default': 'var(--g-surface)',
    '--mantine-color-default-hover': 'var(--g-sunken)',
    '--mantine-color-default-color': 'var(--g-ink)',
    '--mantine-color-default-border': 'var(--g-line-2)',
    '--mantine-color-disabled': 'var(--g-hover)',
    '--mantine-color-disabled-color': 'var(--g-ink-3)',
    '--mantine-color-disabled-border': 'transparent',
    '--mantine-primary-color-contrast': 'var(--g-on-brand)',
    '--mantine-color-brand-filled': 'var(--g-brand)',
    '--mantine-color-brand-filled-hover': 'var(--g-brand-hover)',
    '--mantine-color-brand-light': 'var(--g-brand-soft)',
    '--mantine-color-brand-light-hover': 'var(--g-brand-soft-2)',
    '--mantine-color-brand-light-color': 'var(--g-brand-text)',
    '--mantine-color-brand-text': 'var(--g-brand-text)',
    '--mantine-color-brand-outline': 'var(--g-brand-text)',
    '--mantine-color-brand-outline-hover': 'var(--g-brand-soft)',
  }
  return { variables: {}, light: both, dark: both }
}
