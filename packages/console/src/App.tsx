export const App = () => <main>Headgate</main>
