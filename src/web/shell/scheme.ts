import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { saveConfigs } from '../preferences.ts'

/** Switches light and dark: `show` changes this page alone, `toggle` the account too. */
export function useSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const show = (next: boolean) => setColorScheme(next ? 'dark' : 'light')
  const toggle = () => {
    show(!isDark)
    saveConfigs({ isDark: !isDark }).catch(() => {}) // a preference: this browser keeps it anyway
  }
  return { isDark, show, toggle }
}
