// Other namespaces of this database whose vectors have another size; they share the vector indexes.
// params: namespace, dimensions
// returns: other, embedder, dimensions
MATCH (store:Store)
WHERE store.namespace <> $namespace AND store.dimensions <> $dimensions
RETURN store.namespace AS other, store.embedder AS embedder, store.dimensions AS dimensions
ORDER BY other
