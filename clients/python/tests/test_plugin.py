"""What the plugin shows."""


def test_shows_the_requests_of_a_test_that_fails(pytester):
    pytester.makeini("[pytest]\nbinnacle_flags = --simulate --nodes=2")
    pytester.makepyfile(
        """
        def test_nodes(binnacle):
            nodes = binnacle.request("GET", "/api/v1/nodes")["items"]
            assert len(nodes) == 3
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 2 == 3*", "*requests to Binnacle*", "*list nodes * 200*"])
