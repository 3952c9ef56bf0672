import './styles-login.ts'
import './ui/mantine-app.css'
