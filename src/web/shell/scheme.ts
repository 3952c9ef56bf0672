import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { saveScheme } from './account.ts'

/** Light or dark: `show` changes this page alone, `toggle` the account too. */
export function useSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const show = (next: boolean) => setColorScheme(next ? 'dark' : 'light')
  const toggle = () => {
    show(!isDark)
    saveScheme(!isDark).catch(() => {}) // a preference: this browser keeps it anyway
  }
  return { isDark, show, toggle }
}
