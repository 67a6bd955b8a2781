"""Which tools of a domain depend on which, and what constrains them, as a subgraph to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msce_graph.provenance.subgraph import ProvenanceEdge, ProvenanceNode, Scalar, Subgraph
from msce_graph.records import EnvEntity


@dataclass(frozen=True, slots=True)
class ToolDependency:
    """Keys of a tool and of the one that it depends on, with the episodes and the rate at which it was seen."""

    tool: str
    on: str
    support: int
    confidence: float


@dataclass(frozen=True, slots=True)
class ToolLink:
    """Keys of a statement and of a tool that it constrains or, of a dependency, starts from or leads to."""

    statement: str
    type: str
    tool: str


def tool_graph(
    domain: str, statements: Sequence[EnvEntity], links: Sequence[ToolLink], dependencies: Sequence[ToolDependency]
) -> Subgraph:
    """Return a domain's tools with what they depend on and what constrains them.

    A dependency between two tools is the edge between them; a constraint, and a dependency on something that is no
    tool, is a node. The root stands for the domain, which is no node of the graph: each tool shown is part of it.
    """
    between = {link.statement for link in links if link.type == "TO_TOOL"}
    told = {
        one.key: one
        for one in statements
        if one.kind == "constraint" or (one.kind == "dependency" and one.key not in between)
    }
    shown = [link for link in links if link.statement in told]
    tools = sorted({link.tool for link in shown} | {end for one in dependencies for end in (one.tool, one.on)})
    return Subgraph(
        root=domain,
        nodes=(
            ProvenanceNode(key=domain, label="Domain", title=domain),
            *(_statement(one) for one in told.values()),
            *(ProvenanceNode(key=tool, label="Tool", title=tool.partition("/")[2]) for tool in tools),
        ),
        edges=(
            *(ProvenanceEdge(source=tool, target=domain, type="PART_OF") for tool in tools),
            *(ProvenanceEdge(source=link.statement, target=link.tool, type=link.type) for link in shown),
            *(_dependency(one) for one in dependencies),
        ),
    )


def _statement(one: EnvEntity) -> ProvenanceNode:
    details: dict[str, Scalar] = {"kind": one.kind, "support": one.support, "confidence": one.confidence}
    title = one.name if one.kind == "dependency" else one.statement
    return ProvenanceNode(key=one.key, label="EnvEntity", title=title, details={"statement": one.statement, **details})


def _dependency(one: ToolDependency) -> ProvenanceEdge:
    details: dict[str, Scalar] = {"support": one.support, "confidence": one.confidence}
    return ProvenanceEdge(source=one.tool, target=one.on, type="DEPENDS_ON", details=details)
