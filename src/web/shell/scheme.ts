import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { keepScheme } from './account.ts'

/** Switches light and dark, here and for the account. */
export function useSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const toggle = () => {
    setColorScheme(isDark ? 'light' : 'dark')
    keepScheme(!isDark).catch(() => {}) // a preference: this browser keeps it anyway
  }
  return { isDark, toggle }
}
